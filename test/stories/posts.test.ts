import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { local, uploaderOf } from '../support/media.ts'
import { authorOf, smallJpeg, withFeed } from '../support/posts.ts'
import { clip, formsOf, videoUploaderOf } from '../support/video.ts'
import { addMember, addTenant } from '../support/world.ts'

const FILE_FIELDS = ['format', 'id', 'name', 'project_id', 'size', 'status', 'url']

test('two creators post an image and a video, which everybody can see', async () => {
  const { api, url, seed, feed, base, init, put, complete } = await withFeed()
  const begun = await init({ creator_id: 'ann', description: 'Look <b>here</b>', image_format: 'jpg' })
  expect(begun.status).toBe(201)
  expect(begun.body).toEqual({
    post_id: expect.stringMatching(/^post_[0-9a-z]{26}$/),
    content_id: expect.stringMatching(/^img_/),
    content_upload_url: expect.stringMatching(/\/upload\/file_/),
    upload_expires: expect.any(Number),
  })
  const { post_id } = begun.body
  const draft = {
    id: post_id,
    feed_id: feed.id,
    creator_id: 'ann',
    description: 'Look <b>here</b>',
    type: 'image',
    image_id: begun.body.content_id,
    plan_type: 'custom',
    created_at: expect.any(String),
    updated_at: expect.any(String),
  }
  const seen = () =>
    Promise.all(
      [`/feeds/${feed.id}/${post_id}`, `/posts/v1/feeds/${feed.id}/${post_id}`].map((path) => api.get(path)),
    )
  expect((await api.get(`${base}/${post_id}`)).body).toEqual({ ...draft, published: false })
  for (const answer of await seen()) expect(answer.body).toEqual({ code: 404, error: 'Not Found' })
  expect((await complete(post_id)).body).toMatchObject({ code: 404, error: 'Not Found' })
  expect((await api.get(`${base}?status=draft`)).body).toEqual({
    data: [{ ...draft, published: false }],
    pagination: { limit: 25, offset: 0, total: 1 },
  })

  expect((await put(begun.body.content_upload_url, await smallJpeg())).status).toBe(200)
  const { status, body: post } = await complete(post_id)
  expect(status).toBe(200)
  expect(post).toEqual({ ...draft, image: expect.any(Object) })
  expect(post.image).toEqual({
    id: begun.body.content_id,
    file: expect.any(Object),
    width: 64,
    height: 40,
    thumbhash: expect.any(String),
    attached_to_video: false,
  })
  expect(Object.keys(post.image.file).sort()).toEqual(FILE_FIELDS)
  for (const answer of await seen()) expect(answer.body).toEqual(post)
  expect((await api.get(`${base}/${post_id}`)).body).toEqual({ ...post, published: true })
  expect((await api.get(base)).body.data).toEqual([{ ...post, published: true }])
  expect((await api.get(`/images/${post.image_id}`)).body).toMatchObject({ width: 64 })
  expect((await fetch(local(post.image.file.url))).headers.get('content-type')).toBe('image/avif')
  expect((await fetch(`${url}/posts/v1/feeds/${feed.id}/${post_id}`)).status).toBe(200)

  const video = await init({ content_type: 'video', file_name: 'b.mp4', format: 'mp4', creator_id: 'bob' })
  expect(Object.keys(video.body).sort()).toEqual([
    ...['content_id', 'content_upload_url', 'post_id', 'poster_id', 'poster_upload_url', 'upload_expires'],
  ])
  await put(video.body.content_upload_url, await clip())
  await put(video.body.poster_upload_url, await scene(80, 50).png().toBuffer())
  const { body: shown } = await complete(video.body.post_id)
  expect(shown).toMatchObject({ type: 'video', video_id: video.body.content_id, creator_id: 'bob' })
  expect(shown.image).toBeUndefined()
  const record = (await api.get(`/videos/${shown.video_id}`)).body
  const { created_at: _c, updated_at: _u, ...file } = record.file
  const { created_at: _pc, updated_at: _pu, ...posterFile } = record.poster.file
  expect(shown.video).toEqual({ ...record, file, poster: { ...record.poster, file: posterFile } })
  expect(shown.video.poster).toMatchObject({ id: video.body.poster_id, width: 80, height: 50 })
  expect((await fetch(`${local(shown.video.file.url)}/v90/index.m3u8`)).status).toBe(200)
  expect((await api.get(`/feeds/${feed.id}`)).body.data).toEqual([shown, post])
  // Asking again answers the same post, and publishes nothing twice.
  expect((await complete(post_id)).body).toEqual(post)
  expect((await api.get(`/feeds/${feed.id}`)).body.pagination.total).toBe(2)
  expect((await api.get(`${base}?status=draft`)).body.data).toEqual([])
  expect(seed.project_id).toBe(shown.video.file.project_id)
})

test('a post is published once, however often and however it is completed', async () => {
  const { api, sql, feed, send, complete } = await withFeed()
  const { post_id, content_id } = await send(await smallJpeg())
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, () => complete(post_id)),
    uploaderOf(api).complete(content_id),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const page = await api.get(`/feeds/${feed.id}`)
  expect(page.body.pagination.total).toBe(1)

  // Its content was completed by itself.
  const other = await send(await smallJpeg())
  await uploaderOf(api).complete(other.content_id)
  expect((await api.get(`/feeds/${feed.id}`)).body.pagination.total).toBe(1)
  expect((await complete(other.post_id)).status).toBe(200)
  expect((await sql`select post_count from feeds`)[0]!.post_count).toBe(2)
})

test('posts are read by their ids, whichever feeds they are in', async () => {
  const service = await withFeed()
  const { api, seed, send, post, feed } = service
  const { body: other } = await api.post('/feeds', { name: 'G' })
  const first = await post(await smallJpeg(), { description: 'one' })
  const second = await authorOf(api, seed.project_id, other.id).post(await smallJpeg())
  const { post_id: draft } = await send(await smallJpeg())
  const tenant = await addTenant(service, 'other')
  const path = (projectId: string) =>
    `/posts/v1/projects/${projectId}/posts?ids=${[second.id, draft, first.id, first.id]}`
  const { body } = await api.get(path(seed.project_id))
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([second.id, draft, first.id])
  expect(body.data[2]).toEqual({ ...first, published: true })
  expect(body.pagination).toEqual({ limit: 25, offset: 0, total: 3 })
  const rest = await api.get(`${path(seed.project_id)}&limit=1&offset=2`)
  expect(rest.body.data).toMatchObject([{ id: first.id }])
  // Drafts are not for everybody, and nobody sees another's.
  const published = await api.as(key(seed.publishable_key)).get(path(seed.project_id))
  expect(published.body.data).toMatchObject([{ id: second.id }, { id: first.id }])
  expect((await api.as(key(tenant.secretKey)).get(path(tenant.projectId))).body.data).toEqual([])
  await api.delete(`/feeds/${feed.id}`)
  expect((await api.get(path(seed.project_id))).body.data).toMatchObject([{ id: second.id }])
  expect((await api.get(`/posts/v1/projects/${seed.project_id}/posts`)).status).toBe(400)
})

test('posts are found by what they say and by what they show, whichever feeds they are in', async () => {
  const service = await withFeed()
  const { api, seed, send, post, feed } = service
  const { body: other } = await api.post('/feeds', { name: 'G' })
  const boats = await post(await smallJpeg(), { description: 'The HARBOUR at dawn' })
  const bread = await authorOf(api, seed.project_id, other.id).post(await smallJpeg())
  await api.patch(`/images/${bread.image_id}`, { name: 'harbour bread.jpg' })
  const { post_id: draft } = await send(await smallJpeg(), { description: 'harbour, not yet' })
  await post(await smallJpeg(), { description: 'something else' })
  const tenant = await addTenant(service, 'other')
  const search = async (q: string, { as = api, of = seed.project_id, more = '' } = {}) => {
    const { status, body } = await as.get(`/posts/v1/projects/${of}/posts?q=${encodeURIComponent(q)}${more}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return { ids: body.data.map(({ id }: { id: string }) => id), total: body.pagination.total }
  }
  expect(await search('Harbour')).toEqual({ ids: [draft, bread.id, boats.id], total: 3 })
  expect(await search('harbour', { more: '&limit=1&offset=1' })).toEqual({ ids: [bread.id], total: 3 })
  expect(await search('harbour', { more: '&offset=9' })).toEqual({ ids: [], total: 3 })
  expect(await search('r at dawn')).toEqual({ ids: [boats.id], total: 1 })
  // A word of it is one, a letter of the alphabet of LIKE is itself.
  expect(await search('harb%')).toEqual({ ids: [], total: 0 })
  // Drafts are not for everybody, and nobody finds another's.
  const published = await search('harbour', { as: api.as(key(seed.publishable_key)) })
  expect(published.ids).toEqual([bread.id, boats.id])
  const ofOther = { as: api.as(key(tenant.secretKey)), of: tenant.projectId as typeof seed.project_id }
  expect(await search('harbour', ofOther)).toEqual({ ids: [], total: 0 })
  await api.delete(`/feeds/${feed.id}`)
  expect(await search('harbour')).toEqual({ ids: [bread.id], total: 1 })
  for (const query of ['?q=ha', `?q=harbour&ids=${draft}`])
    expect((await api.get(`/posts/v1/projects/${seed.project_id}/posts${query}`)).status).toBe(400)
})

test('a post is changed and deleted, and what it shows stays', async () => {
  const { api, feed, base, post } = await withFeed()
  const made = await post(await smallJpeg(), { creator_id: 'ann' })
  const changed = await api.patch(`${base}/${made.id}`, { description: 'new', creator_id: 'bob' })
  expect(changed.body).toEqual({
    ...made,
    description: 'new',
    creator_id: 'bob',
    updated_at: expect.any(String),
  })
  expect((await api.get(`/feeds/${feed.id}?creator_id=ann`)).body.pagination.total).toBe(0)
  expect((await api.get(`/feeds/${feed.id}?creator_id=bob`)).body.data).toEqual([changed.body])
  expect((await api.patch(`${base}/${made.id}`, { description: 1 })).status).toBe(400)
  expect((await api.delete(`${base}/${made.id}`)).status).toBe(204)
  for (const path of [`${base}/${made.id}`, `/feeds/${feed.id}/${made.id}`])
    expect((await api.get(path)).status).toBe(404)
  expect((await api.delete(`${base}/${made.id}`)).status).toBe(404)
  expect((await api.get(`/images/${made.image_id}`)).status).toBe(200)
})

test('copies are valid until anything they show changes, and no longer', async () => {
  const { api, url, seed, feed, base, post } = await withFeed()
  const { id: videoId } = await videoUploaderOf(api).upload(await clip())
  const added = await api.post(`/feeds/${feed.id}/content`, { content_ids: [videoId], content_type: 'video' })
  const postId = added.body.data[0].id
  const paths = [`/feeds/${feed.id}`, `/feeds/${feed.id}/${postId}`, `/posts/v1/feeds/${feed.id}/${postId}`]
  let tags = paths.map(() => '')
  /** Asks with what was answered last; says whether that was still good. */
  async function ask(): Promise<number[]> {
    const answers = await Promise.all(
      paths.map((path, i) => api.get(path, tags[i] ? { 'if-none-match': tags[i] } : {})),
    )
    tags = answers.map(({ headers }) => headers.get('etag')!)
    return answers.map(({ status }) => status)
  }
  expect(await ask()).toEqual([200, 200, 200])
  expect(await ask()).toEqual([304, 304, 304])
  const changes: [number[], () => Promise<unknown>][] = [
    [[200, 304, 304], () => smallJpeg().then((content) => post(content))],
    [[200, 200, 200], () => api.patch(`${base}/${postId}`, { description: 'x' })],
    [
      [200, 200, 200],
      () => api.put(`/videos/${videoId}/chapters`, { chapters: [{ title: 'a', start_time_sec: 0 }] }),
    ],
    [
      [200, 200, 200],
      async () => {
        const forms = formsOf({ url, seed })
        const thumbnail = await forms.put(`/videos/${videoId}/thumbnail`, [
          'thumbnail',
          { content: await smallJpeg() },
        ])
        expect(thumbnail.status).toBe(200)
      },
    ],
  ]
  for (const [expected, change] of changes) {
    await change()
    expect(await ask()).toEqual(expected)
    expect(await ask()).toEqual([304, 304, 304])
  }
  await api.delete(`/videos/${videoId}`)
  expect(await ask()).toEqual([200, 404, 404])
})

test('posts of a deleted feed are gone at once, and their rows soon', async () => {
  const { api, sql, feed, base, post, send, complete } = await withFeed({ env: {} })
  const made = await post(await smallJpeg())
  const draft = await send(await smallJpeg())
  await api.delete(`/feeds/${feed.id}`)
  for (const path of [
    `/posts/v1/feeds/${feed.id}/${made.id}`,
    `${base}/${made.id}`,
    `/feeds/${feed.id}/${made.id}`,
  ])
    expect((await api.get(path)).status).toBe(404)
  expect((await complete(draft.post_id)).status).toBe(404)
  while ((await sql`select from posts`).length + (await sql`select from feeds`).length > 0) await sleep(50)
  expect((await api.get(`/images/${made.image_id}`)).status).toBe(200)
})

test('who may write posts needs nothing else for it, and others cannot', async () => {
  const service = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const tenant = await addTenant(service, 'writers')
  const { body: feed } = await tenant.owner.post('/feeds', { name: 'F', allow_videos: false })
  const writer = await addMember(service, tenant, 'w@writers.example', ['posts:write', 'posts:read'])
  const reader = await addMember(service, tenant, 'r@writers.example', ['posts:read'])
  const mine = authorOf(writer.api, tenant.projectId, feed.id)
  expect((await mine.post(await smallJpeg())).type).toBe('image')
  const refused = await mine.init({ content_type: 'video' })
  expect(refused.body).toMatchObject({ code: 400, details: 'this feed does not allow videos' })
  const theirs = authorOf(reader.api, tenant.projectId, feed.id)
  expect((await theirs.init()).body).toMatchObject({ code: 403, error: 'Forbidden' })
  const body = { content_type: 'image', file_name: 'a.jpg' }
  expect((await writer.api.post(`${mine.base}/upload/init`, body)).status).toBe(400)
})
