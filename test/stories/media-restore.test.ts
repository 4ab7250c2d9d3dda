import { expect, test } from 'vitest'
import { bearer, key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { local, uploaderOf } from '../support/media.ts'
import { authorOf, smallJpeg } from '../support/posts.ts'
import { clip, videoUploaderOf } from '../support/video.ts'
import { addMember, addTenant } from '../support/world.ts'

/** As it is where nothing is set; other tests have none. */
const DAY = { MARQUEE_TRASH_LIFETIME: '86400' }

test('what shows a video or an image is listed, goes with it, and comes back with it', async () => {
  const service = await composeForTest({ env: DAY })
  const { api, sql, seed } = service
  const image = (await uploaderOf(api).upload(await smallJpeg(), 'a.jpg')).body
  const video = await videoUploaderOf(api).upload(await clip(1))
  const { body: news } = await api.post('/feeds', { name: 'News' })
  const { body: films } = await api.post('/feeds', { name: 'Films' })
  const add = (feedId: string, ...content_ids: string[]) =>
    api.post(`/feeds/${feedId}/content`, { content_ids, content_type: 'mixed' })
  await add(news.id, image.id, video.id)
  await add(films.id, video.id)
  const drafted = await authorOf(api, seed.project_id, news.id).send(await smallJpeg())
  await api.post('/images/upload/complete', { image_id: drafted.content_id })

  const uses = async (path: string) => (await api.get(`${path}/uses`)).body
  const ofVideo = await uses(`/videos/${video.id}`)
  expect(ofVideo).toEqual({
    data: [
      {
        feed_id: films.id,
        feed_name: 'Films',
        post_id: expect.any(String),
        status: 'published',
        published_at: expect.any(String),
      },
      {
        feed_id: news.id,
        feed_name: 'News',
        post_id: expect.any(String),
        status: 'published',
        published_at: expect.any(String),
      },
    ],
    pagination: { limit: 25, offset: 0, total: 2 },
  })
  expect((await api.get(`/videos/${video.id}/uses?limit=1&offset=1`)).body).toEqual({
    data: [ofVideo.data[1]],
    pagination: { limit: 1, offset: 1, total: 2 },
  })
  expect((await uses(`/images/${image.id}`)).data).toMatchObject([{ feed_name: 'News', status: 'published' }])
  expect((await uses(`/images/${drafted.content_id}`)).data).toEqual([
    { feed_id: news.id, feed_name: 'News', post_id: drafted.post_id, status: 'draft' },
  ])
  expect((await uses(`/images/${video.poster.id}`)).data).toEqual([])

  // Moved before it goes: it comes back to there.
  const read = async (feedId: string) => (await api.get(`/feeds/${feedId}`)).body.data
  const [top, bottom] = await read(news.id)
  await api.post(`/posts/v1/projects/${seed.project_id}/feeds/${news.id}/posts/${top.id}/move`, {
    after: bottom.id,
  })
  const before = {
    media: (await api.get('/media')).body.pagination.total,
    news: (await read(news.id)).map(({ id }: { id: string }) => id),
    used: (await api.get('/project')).body.storage_used,
  }
  expect(before.news).toEqual([bottom.id, top.id])

  const other = await addTenant(service, 'other')
  const theirs = api.as(key(other.secretKey))
  for (const path of [`/videos/${video.id}`, `/images/${image.id}`]) {
    expect((await theirs.get(`${path}/uses`)).status).toBe(404)
    expect((await api.post(`${path}/restore`)).status, 'not deleted').toBe(404)
    const { body: record } = await api.get(path)
    expect((await api.delete(path)).status).toBe(204)
    expect((await api.get(path)).status).toBe(404)
    expect((await api.get(`${path}/uses`)).status).toBe(404)
    expect((await theirs.post(`${path}/restore`)).status).toBe(404)
    const restored = await api.post(`${path}/restore`)
    expect(restored.status).toBe(200)
    expect(restored.body).toEqual(record)
    expect((await api.post(`${path}/restore`)).status, 'again').toBe(404)
    expect((await fetch(local(record.file.url))).status).toBe(200)
    expect(await read(news.id).then((posts) => posts.map(({ id }: { id: string }) => id))).toEqual(
      before.news,
    )
    expect((await api.get('/media')).body.pagination.total).toBe(before.media)
  }
  expect(await uses(`/videos/${video.id}`)).toEqual(ofVideo)

  // Who may not delete it may not bring it back; what has left the trash is gone.
  await api.delete(`/videos/${video.id}`)
  const writer = await addMember(
    service,
    {
      ...other,
      orgId: seed.org_id as never,
      owner: api.as(bearer(await service.tokenFor(seed.owner_email))),
    },
    'w@example.com',
    ['videos:write', 'videos:read'],
  )
  const inProject = writer.api.as({ ...bearer(writer.token), 'x-project-id': seed.project_id })
  expect((await inProject.post(`/videos/${video.id}/restore`)).body).toMatchObject({
    details: 'needs videos:delete',
  })
  await sql`delete from files where deleted_at is not null`
  expect((await api.post(`/videos/${video.id}/restore`)).status).toBe(404)
})
