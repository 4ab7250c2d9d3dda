import { expect, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { bearer } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'

const OTHER = '00000000000000000000000000'

test('tiers are known by the names that events have for them', async () => {
  const { api, seed, sql, tokenFor } = await composeForTest()
  const owner = api.as(bearer(await tokenFor(seed.owner_email)))
  const projects = `/organizations/${seed.org_id}/projects/v1`
  const made = await owner.post(projects, { name: 'films', video_quality: 'VIDEO_QUALITY_SHORTS' })
  expect(made.body).toMatchObject({ video_quality: 'shorts' })
  const changed = await owner.patch(`${projects}/${made.body.id}/video-quality`, {
    video_quality: 'VIDEO_QUALITY_PRO',
  })
  expect(changed.body).toMatchObject({ video_quality: 'pro' })
  const begun = await api.post('/videos/upload/init', {
    file_name: 'a.mp4',
    video_quality: 'VIDEO_QUALITY_BASIC',
  })
  const { id: feed } = (await api.post('/feeds', { name: 'news' })).body
  const post = await api.post(`/posts/v1/projects/${seed.project_id}/feeds/${feed}/posts/upload/init`, {
    ...{ content_type: 'video', file_name: 'b.mp4', format: 'mp4' },
    video_quality: 'VIDEO_QUALITY_SHORTS',
  })
  const ids = [begun.body.video_id, post.body.content_id]
  const rows = await sql<{ quality: string }[]>`select quality from videos where id = any(${ids}) order by id`
  expect(rows.map(({ quality }) => quality)).toEqual(['basic', 'shorts'])
  const unspecified = { file_name: 'a', video_quality: 'VIDEO_QUALITY_BEST' }
  expect((await api.post('/videos/upload/init', unspecified)).status).toBe(400)
})

test('an image’s name and format may be called that', async () => {
  const { api } = await composeForTest()
  const { put, complete } = uploaderOf(api)
  const init = (body: object) => api.post('/images/upload/init', body)
  const begun = await init({ name: 'harbour.jpg', format: 'jpg' })
  expect(begun.status).toBe(200)
  const picture = await scene(64, 40).jpeg().toBuffer()
  await put(begun.body.presigned_url, new Uint8Array(picture))
  expect((await complete(begun.body.image_id)).body.file.name).toBe('harbour.jpg')

  expect((await init({ name: 'a.jpg', file_name: 'a.jpg', format: 'png', image_format: 'png' })).status).toBe(
    200,
  )
  expect((await init({ name: 'a.jpg', file_name: 'b.jpg' })).body).toMatchObject({
    code: 400,
    details: 'body.name: is another name for file_name, which says something else',
  })
  expect((await init({ name: 'a.jpg', format: 'gif' })).body).toMatchObject({
    code: 400,
    details: 'body.image_format: must be one of jpg, png, webp',
  })
  expect((await init({ format: 'jpg' })).body.details).toBe('body.file_name: is required')
})

test('what is in the path may be repeated in the body, where it says the same', async () => {
  const { api, seed, tokenFor } = await composeForTest()
  const owner = api.as(bearer(await tokenFor(seed.owner_email)))
  const { id } = (await api.post('/feeds', { name: 'news' })).body
  const change = (body: object) => api.put(`/feeds/${id}`, body)
  for (const repeated of [{ feed_id: id }, { feedId: id }, { feed_id: null }, { other_id: 'x' }])
    expect((await change({ description: 'all of it', ...repeated })).status).toBe(200)
  for (const name of ['feed_id', 'feedId'])
    expect((await change({ name: 'changed', [name]: `feed_${OTHER}` })).body).toEqual({
      code: 400,
      error: 'Bad Request',
      details: `body.${name}: differs from the path`,
    })
  const project = `/organizations/${seed.org_id}/projects/v1/${seed.project_id}`
  const rename = (body: object) => owner.patch(`${project}/name`, { name: 'renamed', ...body })
  expect((await rename({ org_id: seed.org_id, project_id: seed.project_id })).status).toBe(200)
  expect((await rename({ org_id: seed.org_id, project_id: `proj_${OTHER}` })).body.details).toBe(
    'body.project_id: differs from the path',
  )
  expect((await rename({ org_id: `org_${OTHER}` })).body.details).toBe('body.org_id: differs from the path')
  expect((await api.get(`/feeds?limit=1`)).body.data[0]).toMatchObject({ name: 'news' })
})
