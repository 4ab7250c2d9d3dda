import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { clip, videoUploaderOf } from '../support/video.ts'
import { addTenant } from '../support/world.ts'

test('a video is uploaded, shown, listed, and deleted with its poster', async () => {
  const service = await composeForTest()
  const { api, seed, sql, media } = service
  const { init, put, complete } = videoUploaderOf(service.api)
  const begun = await init({ file_name: 'holiday.mp4' })
  expect(begun.status).toBe(200)
  expect(begun.body).toEqual({
    video_id: expect.stringMatching(/^vid_[0-9a-z]{26}$/),
    video_presigned_url: expect.stringMatching(/\/upload\/file_[0-9a-z]{26}\?kind=video&/),
    poster_id: expect.stringMatching(/^img_[0-9a-z]{26}$/),
    poster_presigned_url: expect.stringMatching(/\/upload\/file_[0-9a-z]{26}\?kind=image&/),
    upload_expires: expect.any(Number),
  })
  expect(begun.body.upload_expires - Date.now() / 1000).toBeGreaterThan(3500)
  const { video_id: id, poster_id: posterId } = begun.body
  expect((await complete(id)).body).toMatchObject({ code: 404, error: 'File not found' })
  expect((await api.get(`/videos/${id}`)).body).toEqual({ code: 404, error: 'Video not found' })
  expect((await api.get('/videos')).body).toEqual({
    data: [],
    pagination: { limit: 25, offset: 0, total: 0 },
  })
  expect((await api.get('/images')).body.data).toEqual([])

  await put(begun.body.video_presigned_url, await clip())
  const { body: video, status } = await complete(id)
  expect(status).toBe(200)
  const { file, poster, ...facts } = video
  expect(facts).toEqual({
    id,
    duration: expect.closeTo(2, 1),
    width: 160,
    height: 90,
    bitrate: expect.any(Number),
    codec: 'h264',
    framerate: '25',
    hdr: false,
    plan_type: 'custom',
    chapters: [],
    created_at: expect.stringMatching(/Z$/),
  })
  expect(file).toEqual({
    id: expect.stringMatching(/^file_/),
    name: 'holiday.mp4',
    format: 'hls',
    size: expect.any(Number),
    status: 'ready',
    url: expect.stringMatching(new RegExp(`/cdn/${seed.project_id}/${file.id}$`)),
    project_id: seed.project_id,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  expect(poster).toMatchObject({ id: posterId, attached_to_video: true, file: { format: 'avif' } })
  expect((await api.get(`/videos/${id}`)).body).toEqual(video)
  expect((await api.get('/videos')).body).toEqual({
    data: [video],
    pagination: { limit: 25, offset: 0, total: 1 },
  })
  expect((await api.get('/images')).body.data).toEqual([])
  expect((await api.get('/images?attached_to_video=true')).body.data).toEqual([poster])

  expect((await api.delete(`/videos/${id}`)).status).toBe(204)
  expect((await api.get(`/videos/${id}`)).body).toEqual({ code: 404, error: 'Video not found' })
  expect((await api.delete(`/videos/${id}`)).body).toEqual({ code: 404, error: 'Not Found' })
  expect((await complete(id)).body).toMatchObject({ code: 404, error: 'File not found' })
  expect((await fetch(local(file.url))).status).toBe(404)
  expect((await fetch(local(poster.file.url))).status).toBe(404)
  expect((await api.get('/videos')).body.pagination.total).toBe(0)
  expect((await api.get('/images?attached_to_video=true')).body.pagination.total).toBe(0)
  expect((await api.get('/project')).body.storage_used).toBe(0)
  await expect.poll(media.names).toEqual([])
  expect(await sql`select from videos`).toHaveLength(0)
})

test('lists are sorted by every named column, both ways, with ties in a stable order', async () => {
  const service = await composeForTest()
  const { api, sql } = service
  const { upload } = videoUploaderOf(service.api)
  const short = await clip(1)
  const names = ['b.mp4', 'a.mp4', 'B.mp4', 'a.mp4']
  const videos: Awaited<ReturnType<typeof upload>>[] = []
  for (const file_name of names) videos.push(await upload(short, { file_name }))
  videos.push(await upload(await clip(2), { file_name: 'c.mp4' }))
  // Two of the same moment.
  const two = [0, 1].map((i) => videos[i]!.id)
  for (const table of ['videos', 'media_items'])
    await sql`update ${sql.unsafe(table)} set created_at = '2026-01-01' where id = any(${two})`
  await sql`update files set updated_at = now() where id = ${videos[0]!.file.id}`
  await sql`update files set updated_at = now() - interval '1 hour' where id = any(${[1, 2].map((i) => videos[i]!.file.id)})`
  const all = (await api.get('/videos?limit=100')).body.data
  const columns: Record<string, (video: (typeof all)[number]) => string | number> = {
    created_at: (video) => video.created_at,
    name: (video) => video.file.name,
    size: (video) => video.file.size,
    updated_at: (video) => video.file.updated_at,
    duration: (video) => video.duration,
  }
  const ids = (list: { id: string }[]) => list.map(({ id }) => id)
  for (const [sort, of] of Object.entries(columns))
    for (const order of ['asc', 'desc']) {
      const sorted = [...all].sort(
        (x, y) =>
          (of(x) < of(y) ? -1 : of(x) > of(y) ? 1 : x.id < y.id ? -1 : 1) * (order === 'asc' ? 1 : -1),
      )
      const query = `sort=${sort}&order=${order}`
      expect(ids((await api.get(`/videos?${query}`)).body.data), query).toEqual(ids(sorted))
      const pages = []
      for (let offset = 0; offset < 6; offset += 2) {
        const { body } = await api.get(`/videos?${query}&limit=2&offset=${offset}`)
        expect(body.pagination).toEqual({ limit: 2, offset, total: 5 })
        pages.push(...body.data)
      }
      expect(ids(pages), query).toEqual(ids(sorted))
    }
  expect(ids((await api.get('/videos')).body.data)).toEqual(
    ids((await api.get('/videos?sort=created_at&order=desc')).body.data),
  )
  expect((await api.get('/videos?offset=99')).body.data).toEqual([])
  for (const query of ['sort=id', 'order=up', 'limit=0', 'limit=101', 'offset=-1', 'sort=name%3B--'])
    expect((await api.get(`/videos?${query}`)).body, query).toMatchObject({
      code: 400,
      error: 'Invalid query parameters',
    })
})

test('the quality is the one asked for, else the project’s; the plan is the organization’s at the time', async () => {
  const service = await composeForTest()
  const { sql } = service
  const tenant = await addTenant(service, 'acme', 'free')
  const { init } = videoUploaderOf(service.api.as(key(tenant.secretKey)))
  const made = async (more?: object) => {
    const { body } = await init(more)
    return (await sql`select quality, plan_type from videos where id = ${body.video_id}`)[0]
  }
  expect(await made()).toEqual({ quality: 'basic', plan_type: 'free' })
  await tenant.owner.patch(`/organizations/${tenant.orgId}/projects/v1/${tenant.projectId}/video-quality`, {
    video_quality: 'shorts',
  })
  await sql`update organizations set plan = 'pro' where id = ${tenant.orgId}`
  expect(await made()).toEqual({ quality: 'shorts', plan_type: 'pro' })
  expect(await made({ video_quality: 'pro' })).toEqual({ quality: 'pro', plan_type: 'pro' })
})

test('one whose processing failed later is still shown, and says so', async () => {
  const service = await composeForTest()
  const { api, sql } = service
  const video = await videoUploaderOf(service.api).upload(await clip())
  await sql`update files set status = 'error' where id = ${video.file.id}`
  expect((await api.get(`/videos/${video.id}`)).body.file.status).toBe('error')
  expect((await api.get('/videos')).body.data[0].file.status).toBe('error')
  expect((await api.delete(`/videos/${video.id}`)).status).toBe(204)
})

test('an upload that nobody completes is swept with its poster', async () => {
  const service = await composeForTest({
    env: { MARQUEE_UPLOAD_LIFETIME: '5', MARQUEE_SWEEP_INTERVAL: '1' },
  })
  const { sql, media } = service
  const { send, put } = videoUploaderOf(service.api)
  const begun = await send(Buffer.from('bytes'))
  await put(begun.poster_presigned_url, Buffer.from('bytes'))
  while ((await sql`select from videos`).length > 0) await sleep(50)
  // The poster is waited for a little longer, so that a video completed in the last moment keeps it.
  expect(await sql`select from files`).toHaveLength(1)
  await sql`update files set upload_expires = now()`
  while ((await sql`select from images`).length + (await media.names()).length > 0) await sleep(50)
})

test('languages to choose from', async () => {
  const { api } = await composeForTest()
  const { body, status } = await api.get('/videos/languages')
  expect(status).toBe(200)
  expect(body).toContainEqual({ code: 'fr', name: 'French' })
  expect(body.length).toBeGreaterThan(150)
})
