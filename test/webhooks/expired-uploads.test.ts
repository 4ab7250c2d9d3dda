import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { tusAt } from '../support/tus.ts'
import { videoUploaderOf } from '../support/video.ts'

test('an upload that ends unfinished is told of once, with its poster; one that was cancelled is not', async () => {
  const { api, sql } = await composeForTest({ env: { MARQUEE_SWEEP_INTERVAL: '1' } })
  const { next_cursor: after } = (await api.get('/webhooks/v1/messages')).body
  const image = (await uploaderOf(api).init('late.jpg')).body
  const film = (await videoUploaderOf(api).init()).body
  const photo = (await uploaderOf(api).init()).body
  const cancelled = (await videoUploaderOf(api).init()).body
  expect((await tusAt(film.video_presigned_url).send(0, Buffer.alloc(500))).status).toBe(204)
  expect((await tusAt(cancelled.video_presigned_url).send(0, Buffer.alloc(500))).status).toBe(204)
  expect((await api.delete(`/images/${photo.image_id}`)).status).toBe(204)
  expect((await api.delete(`/videos/${cancelled.video_id}`)).status).toBe(204)

  const left = async () =>
    (await sql<{ name: string }[]>`select convert_from(name, 'UTF8') as name from files`).map(
      ({ name }) => name,
    )
  // A poster is awaited for longer than its video: what is left of it meanwhile is no upload of its own.
  await sql`update files set upload_expires = upload_expires - interval '1 hour'`
  await expect.poll(left).toEqual(['poster.jpg'])
  expect((await api.get('/uploads')).body.data).toEqual([])
  await sql`update files set upload_expires = upload_expires - interval '1 hour'`
  await expect.poll(left).toEqual([])

  // What happens after all of it has been written down after it.
  const last = (await uploaderOf(api).init('last.jpg')).body
  await sql`update files set upload_expires = upload_expires - interval '1 hour'`
  const expired = async () => {
    const { data } = (await api.get(`/webhooks/v1/messages?after=${after}`)).body
    return data.map(({ type, data: { image_id, video_id } }) => [type, image_id ?? video_id])
  }
  await expect.poll(expired).toContainEqual(['upload.expired', last.image_id])
  expect((await expired()).toSorted()).toEqual(
    [image.image_id, film.video_id, last.image_id].map((id) => ['upload.expired', id]).toSorted(),
  )
})
