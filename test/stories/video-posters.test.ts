import { expect, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { similarity } from '../media/similarity.ts'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { clip, formsOf, videoUploaderOf } from '../support/video.ts'

test('the client’s own poster is taken, also one that it has completed as an image', async () => {
  const service = await composeForTest()
  const { api } = service
  const { send, put, complete } = videoUploaderOf(service.api)
  const drawing = await scene(320, 180).png().toBuffer()
  for (const isCompleted of [false, true]) {
    const begun = await send(await clip())
    await put(begun.poster_presigned_url, drawing)
    if (isCompleted) {
      const image = await api.post('/images/upload/complete', { image_id: begun.poster_id })
      expect(image.body).toMatchObject({ id: begun.poster_id, attached_to_video: true })
    }
    const { body } = await complete(begun.video_id)
    expect(body.poster).toMatchObject({ id: begun.poster_id, width: 320, height: 180 })
    const served = Buffer.from(await (await fetch(local(body.poster.file.url))).arrayBuffer())
    expect(await similarity(served, drawing)).toBeGreaterThan(0.9)
    const { id, width, height, thumbhash } = body.poster
    // It may have been made smaller by now.
    const [listed] = (await api.get('/images?attached_to_video=true')).body.data
    expect(listed).toMatchObject({ id, width, height, thumbhash, attached_to_video: true })
    expect((await api.delete(`/videos/${body.id}`)).status).toBe(204)
  }
})

test('a poster that is deleted gives way to a picture of the video', async () => {
  const service = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const { api, media, seed } = service
  const { send, put, complete } = videoUploaderOf(service.api)
  const own = await (async () => {
    const begun = await send(await clip())
    return (await complete(begun.video_id)).body
  })()
  const pictureOf = async ({ poster }: { poster: { file: { url: string } } }) =>
    Buffer.from(await (await fetch(local(poster.file.url))).arrayBuffer())
  const frame = await pictureOf(own)
  const drawing = await scene(320, 180).png().toBuffer()

  // Before the video is complete, and after.
  for (const isCompleted of [false, true]) {
    const begun = await send(await clip())
    await put(begun.poster_presigned_url, drawing)
    if (isCompleted) expect((await complete(begun.video_id)).status).toBe(200)
    else await api.post('/images/upload/complete', { image_id: begun.poster_id })
    const old = (await api.get(`/images/${begun.poster_id}`)).body
    const etag = isCompleted
      ? (await api.get(`/videos/${begun.video_id}/thumbnail`)).headers.get('etag')!
      : '"x"'
    expect((await api.delete(`/images/${begun.poster_id}`)).status).toBe(204)
    expect((await api.delete(`/images/${begun.poster_id}`)).body).toEqual({
      code: 404,
      error: 'Image not found',
    })
    expect((await fetch(local(old.file.url))).status).toBe(404)
    const video = (await complete(begun.video_id)).body
    expect(video.poster.id).not.toBe(begun.poster_id)
    expect(video.poster).toMatchObject({ width: 160, height: 90, file: { status: 'ready' } })
    expect(await similarity(await pictureOf(video), frame)).toBeGreaterThan(0.9)
    const asked = { 'x-api-key': seed.api_key, 'if-none-match': etag }
    const thumbnail = await fetch(`${service.url}/videos/${video.id}/thumbnail`, { headers: asked })
    expect(thumbnail.status).toBe(200)
    const again = { ...asked, 'if-none-match': thumbnail.headers.get('etag')! }
    expect((await fetch(`${service.url}/videos/${video.id}/thumbnail`, { headers: again })).status).toBe(304)
  }
  // Several at once: one of them deletes it, and there is one poster afterwards.
  const many = await Promise.all(
    Array.from({ length: 4 }, () => api.delete(`/images/${own.poster.id}`).then(({ status }) => status)),
  )
  expect(many.toSorted()).toEqual([204, 404, 404, 404])
  expect((await api.get('/images?attached_to_video=true')).body.pagination.total).toBe(3)
  for (const { id } of (await api.get('/videos')).body.data) await api.delete(`/videos/${id}`)
  await expect.poll(media.names).toEqual([])
  expect((await api.get('/project')).body.storage_used).toBe(0)
})

test('a new thumbnail takes the place of the poster', async () => {
  const service = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const { api, sql, media } = service
  const forms = formsOf(service)
  // Segments are being made; each is stored for a moment before it counts.
  const unaccounted = async () => (await api.get('/project')).body.storage_used - (await media.bytes())
  const before = await videoUploaderOf(service.api).upload(await clip())
  const thumbnail = { name: 'still.png', content: await scene(320, 180).png().toBuffer() }
  const { status, body } = await forms.put(`/videos/${before.id}/thumbnail`, ['thumbnail', thumbnail])
  expect(status).toBe(200)
  expect(body.poster.id).not.toBe(before.poster.id)
  expect(body).toEqual({
    ...before,
    file: { ...before.file, updated_at: expect.any(String) },
    poster: {
      id: expect.stringMatching(/^img_/),
      width: 320,
      height: 180,
      thumbhash: expect.any(String),
      attached_to_video: true,
      file: expect.objectContaining({ name: 'still.png', status: 'ready', format: 'avif' }),
    },
  })
  const served = Buffer.from(await (await fetch(local(body.poster.file.url))).arrayBuffer())
  expect(await similarity(served, thumbnail.content)).toBeGreaterThan(0.9)
  expect((await fetch(local(before.poster.file.url))).status).toBe(404)
  expect((await api.get('/images?attached_to_video=true')).body.data).toEqual([body.poster])
  await expect.poll(unaccounted).toBe(0)

  const wrong = await forms.put(`/videos/${before.id}/thumbnail`, [
    'thumbnail',
    { content: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
  ])
  expect(wrong.body).toEqual({
    code: 400,
    error: 'Bad Request',
    details: expect.stringMatching(/^thumbnail: .*SVG/),
  })
  expect((await api.get(`/videos/${before.id}`)).body).toEqual(body)
  expect(await sql`select from files where deleted_at is null`).toHaveLength(2)

  // Several at once: the last one stays, and nothing of the others.
  const many = await Promise.all(
    Array.from({ length: 5 }, () => forms.put(`/videos/${before.id}/thumbnail`, ['thumbnail', thumbnail])),
  )
  expect(many.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200])
  expect((await api.get('/images?attached_to_video=true')).body.pagination.total).toBe(1)
  await expect.poll(unaccounted).toBe(0)
  await api.delete(`/videos/${before.id}`)
  await expect.poll(media.names).toEqual([])
  expect((await api.get('/project')).body.storage_used).toBe(0)
})
