import { expect, test } from 'vitest'
import { key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { authorOf, scroll, smallJpeg } from '../support/posts.ts'
import { addTenant } from '../support/world.ts'

/** Without a worker, which would make images smaller in the middle of a test. */
const API_ONLY = { env: { MARQUEE_ROLES: 'api' } }
const UNKNOWN = 'feed_00000000000000000000000000'

test('a feed is created, listed, changed and deleted', async () => {
  const { api, seed } = await composeForTest(API_ONLY)
  const made = await api.post('/feeds', { name: 'News', description: 'of today', has_likes: false })
  expect(made.status).toBe(201)
  expect(made.body).toEqual({
    id: expect.stringMatching(/^feed_[0-9a-z]{26}$/),
    project_id: seed.project_id,
    name: 'News',
    description: 'of today',
    allow_images: true,
    allow_videos: true,
    has_likes: false,
    has_shares: true,
    has_comments: true,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  const second = await api.post('/feeds', { name: 'Second' })
  expect((await api.get('/feeds')).body).toEqual({
    data: [second.body, made.body],
    pagination: { limit: 25, offset: 0, total: 2 },
  })
  expect((await api.get('/feeds?limit=1&offset=1')).body).toEqual({
    data: [made.body],
    pagination: { limit: 1, offset: 1, total: 2 },
  })

  expect((await api.get(`/feeds/${made.body.id}/info`)).body).toEqual(made.body)
  const changed = await api.put(`/feeds/${made.body.id}`, { name: 'Old news', allow_videos: false })
  expect(changed.body).toEqual({
    ...made.body,
    name: 'Old news',
    allow_videos: false,
    updated_at: expect.any(String),
  })
  expect((await api.get(`/feeds/${made.body.id}/info`)).body).toEqual(changed.body)
  expect((await api.delete(`/feeds/${made.body.id}`)).status).toBe(204)
  for (const answer of [
    await api.delete(`/feeds/${made.body.id}`),
    await api.get(`/feeds/${made.body.id}`),
    await api.put(`/feeds/${made.body.id}`, { name: 'x' }),
    await api.get(`/feeds/${UNKNOWN}`),
    await api.get(`/feeds/${made.body.id}/info`),
    await api.get(`/feeds/${UNKNOWN}/info`),
  ])
    expect(answer.body).toMatchObject({ code: 404, error: 'Not Found' })
  expect((await api.get('/feeds')).body.data).toEqual([second.body])
})

test('the rows of the error table', async () => {
  const { api } = await composeForTest(API_ONLY)
  const { body: feed } = await api.post('/feeds', { name: 'F' })
  const invalid = { code: 400, error: 'Invalid feed ID or query parameters' }
  for (const path of ['/feeds/x', '?limit=0', '?limit=101', '?offset=-1', '?cursor=x', '?limit=x'])
    expect((await api.get(path.startsWith('/') ? path : `/feeds/${feed.id}${path}`)).body).toMatchObject(
      invalid,
    )
  expect((await api.get(`/feeds/${feed.id}?cursor=cG9zdF8x&offset=3`)).body).toMatchObject(invalid)
  expect((await api.get(`/feeds/${feed.id}/post_x`)).body).toMatchObject({ code: 400, error: 'Bad Request' })
  expect((await api.get(`/feeds/${feed.id}/post_00000000000000000000000000`)).body).toEqual({
    code: 404,
    error: 'Not Found',
  })
  for (const body of [{}, { name: '' }, { name: 1 }, { name: 'x', has_likes: 'yes' }])
    expect((await api.post('/feeds', body)).status).toBe(400)
})

test('content is added all or none, once each, and a feed may refuse a kind', async () => {
  const { api } = await composeForTest(API_ONLY)
  const { upload } = uploaderOf(api)
  const { body: feed } = await api.post('/feeds', { name: 'F', allow_videos: false })
  const ids = [(await upload(await smallJpeg())).body.id, (await upload(await smallJpeg())).body.id]
  const add = (content_ids: string[], content_type = 'mixed') =>
    api.post(`/feeds/${feed.id}/content`, { content_ids, content_type })

  const unknown = 'img_00000000000000000000000000'
  expect((await add([ids[0]!, unknown])).body).toMatchObject({
    code: 404,
    details: expect.stringContaining(unknown),
  })
  expect((await api.get(`/feeds/${feed.id}`)).body.pagination.total).toBe(0)
  for (const [content, type] of [
    [[ids[0]], 'video'],
    [['vid_00000000000000000000000000'], 'image'],
    [['vid_00000000000000000000000000'], 'mixed'],
    [['x'], 'mixed'],
    [[], 'mixed'],
    [[ids[0]], 'other'],
  ] as const)
    expect((await add([...content] as string[], type)).status).toBe(400)

  const added = await add([ids[0]!, ids[1]!, ids[0]!], 'image')
  expect(added.status).toBe(200)
  expect(added.body.feed_id).toBe(feed.id)
  expect(added.body.data.map((post: { image_id: string }) => post.image_id)).toEqual(ids)
  const about = { creator_id: 'ann', description: 'Two of them' }
  const again = await api.post(`/feeds/${feed.id}/content`, {
    content_ids: ids,
    content_type: 'mixed',
    ...about,
  })
  // What is there already stays as it is.
  expect(again.body.data).toEqual(added.body.data)
  const page = await api.get(`/feeds/${feed.id}`)
  expect(page.body.pagination).toEqual({ limit: 25, offset: 0, total: 2 })
  expect(page.body.data).toEqual([...added.body.data].reverse())

  // What an image was deleted from is gone from every feed at once.
  const { body: other } = await api.post('/feeds', { name: 'G' })
  const described = await api.post(`/feeds/${other.id}/content`, {
    content_ids: ids,
    content_type: 'mixed',
    ...about,
  })
  expect(described.body.data).toMatchObject([about, about])
  expect((await api.get(`/feeds/${other.id}/creators/ann`)).body.pagination.total).toBe(2)
  await api.delete(`/images/${ids[0]}`)
  for (const id of [feed.id, other.id]) {
    const left = (await api.get(`/feeds/${id}`)).body
    expect(left.pagination.total).toBe(1)
    expect(left.data.map((post: { image_id: string }) => post.image_id)).toEqual([ids[1]])
  }
  expect((await add([ids[0]!])).status).toBe(404)
})

test('a feed is scrolled by pages, offsets, creators and cursors', async () => {
  const { api, seed } = await composeForTest(API_ONLY)
  const { body: feed } = await api.post('/feeds', { name: 'F' })
  const { post, base } = authorOf(api, seed.project_id, feed.id)
  const content = await smallJpeg()
  const posts = []
  for (let i = 0; i < 7; i++) posts.unshift(await post(content, { creator_id: i % 2 ? 'ann' : 'bob / 2' }))
  const ids = posts.map(({ id }) => id)
  const idsOf = async (path: string) =>
    (await api.get(path)).body.data.map(({ id }: { id: string }) => id) as string[]

  expect((await api.get(`/feeds/${feed.id}`)).body).toEqual({
    data: posts,
    pagination: { limit: 25, offset: 0, total: 7 },
  })
  expect(await idsOf(`/feeds/${feed.id}?limit=3&offset=2`)).toEqual(ids.slice(2, 5))
  expect(await idsOf(`/feeds/${feed.id}?offset=6`)).toEqual(ids.slice(6))
  expect(await idsOf(`/feeds/${feed.id}?offset=7`)).toEqual([])
  const ofBob = ids.filter((_, i) => i % 2 === 0)
  for (const path of [
    `?creator_id=${encodeURIComponent('bob / 2')}&`,
    `/creators/${encodeURIComponent('bob / 2')}?`,
  ]) {
    const { body } = await api.get(`/feeds/${feed.id}${path}limit=3`)
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ofBob.slice(0, 3))
    expect(body.pagination).toMatchObject({ limit: 3, offset: 0, total: 4 })
    expect(await idsOf(`/feeds/${feed.id}${path}cursor=${body.pagination.next_cursor}`)).toEqual(
      ofBob.slice(3),
    )
  }
  expect((await api.get(`/feeds/${feed.id}?creator_id=nobody`)).body).toEqual({
    data: [],
    pagination: { limit: 25, offset: 0, total: 0 },
  })
  expect(await scroll(api, feed.id)).toEqual(ids)

  // Others come and go while somebody scrolls.
  let step = 0
  const seen = await scroll(api, feed.id, 'limit=2', async () => {
    if (step++ === 0) {
      await post(content)
      await api.delete(`${base}/${ids[0]}`)
      await api.delete(`${base}/${ids[3]}`)
    }
  })
  expect(seen).toEqual(ids.filter((id) => id !== ids[3]))
})

test('publishable keys read what is published, and tenants never see each other', async () => {
  const service = await composeForTest(API_ONLY)
  const { api, seed } = service
  const { body: feed } = await api.post('/feeds', { name: 'F' })
  const { post, send, base } = authorOf(api, seed.project_id, feed.id)
  const shown = await post(await smallJpeg())
  const draft = await send(await smallJpeg())
  const publishable = api.as(key(seed.publishable_key))
  expect((await publishable.get(`/feeds/${feed.id}`)).body.data).toEqual([shown])
  expect((await publishable.get(`/feeds/${feed.id}/${shown.id}`)).body).toEqual(shown)
  expect((await publishable.get(`/feeds/${feed.id}/info`)).body).toEqual(feed)
  expect((await publishable.get(`${base}/${draft.post_id}`)).status).toBe(404)
  expect((await publishable.get(`${base}?status=draft`)).status).toBe(403)
  expect((await publishable.post(`/feeds`, { name: 'x' })).status).toBe(403)
  expect((await publishable.delete(`${base}/${shown.id}`)).status).toBe(403)

  const other = await addTenant(service, 'other')
  const stranger = api.as(key(other.secretKey))
  for (const path of [`/feeds/${feed.id}`, `/feeds/${feed.id}/${shown.id}`, `/feeds/${feed.id}/info`])
    expect((await stranger.get(path)).body).toEqual({ code: 404, error: 'Not Found' })
  expect((await stranger.get(`${base}/${shown.id}`)).status).toBe(403)
  expect((await stranger.delete(`/feeds/${feed.id}`)).status).toBe(404)
  const mine = await stranger.post('/feeds', { name: 'theirs' })
  const content = { content_ids: [shown.image_id], content_type: 'image' }
  expect((await stranger.post(`/feeds/${mine.body.id}/content`, content)).status).toBe(404)
  expect((await stranger.get(`/feeds/${mine.body.id}/${shown.id}`)).status).toBe(404)
})

test('a body sets what it may set and nothing else', async () => {
  const { api, sql, seed } = await composeForTest(API_ONLY)
  const sly = {
    post_count: 7,
    project_id: 'proj_x',
    deleted_at: '2020-01-01',
    id: 'feed_x',
    created_at: '2020-01-01',
  }
  const made = await api.post('/feeds', { name: 'F', ...sly })
  expect(made.status).toBe(201)
  const changed = await api.put(`/feeds/${made.body.id}`, { description: 'd', ...sly })
  expect(changed.body).toEqual({ ...made.body, description: 'd', updated_at: expect.any(String) })
  expect(made.body.project_id).toBe(seed.project_id)
  const { post, send, base } = authorOf(api, seed.project_id, made.body.id)
  const shown = await post(await smallJpeg())
  const draft = await send(await smallJpeg())
  const slyPost = { published: true, version: 1, plan_type: 'free', image_id: 'img_x' }
  const patched = await api.patch(`${base}/${shown.id}`, { description: 'd', ...slyPost })
  expect(patched.body).toEqual({ ...shown, description: 'd', updated_at: expect.any(String) })
  await api.patch(`${base}/${draft.post_id}`, slyPost)
  expect((await api.get(`${base}/${draft.post_id}`)).body.published).toBe(false)
  expect((await api.get(`/feeds/${made.body.id}`)).body.pagination.total).toBe(1)
  expect((await sql`select post_count from feeds`)[0]!.post_count).toBe(1)
})
