import { expect } from 'vitest'
import type { InProcess } from './in-process.ts'
import { uploaderOf } from './media.ts'
import { smallJpeg } from './posts.ts'
import { clip, videoUploaderOf } from './video.ts'

/** A public feed with a video and, newer, an image. */
export async function publishFeed(service: InProcess, about: { description?: string; name?: string } = {}) {
  const { api } = service
  const video = await videoUploaderOf(api).upload(await clip(3))
  const { body: image } = await uploaderOf(api).upload(await smallJpeg())
  const feed = (
    await api.post('/feeds', {
      name: about.name ?? 'Harbour',
      description: 'What comes and goes',
      visibility: 'public',
    })
  ).body
  const added = await api.post(`/feeds/${feed.id}/content`, {
    content_ids: [video.id, image.id],
    content_type: 'mixed',
    creator_id: 'ada',
    description: about.description ?? 'The harbour\nin the morning',
  })
  expect(added.status).toBe(200)
  const { data } = (await api.get(`/feeds/${feed.id}`)).body
  const [shown, film] = data as [(typeof data)[number], (typeof data)[number]]
  return { feed, film, shown, video, image }
}
