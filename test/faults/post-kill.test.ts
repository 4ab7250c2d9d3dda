import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { local } from '../support/media.ts'
import { authorOf, scroll, smallJpeg } from '../support/posts.ts'
import { discard, freshDataDir, startService } from '../support/service.ts'
import { clip } from '../support/video.ts'

const KILLS = process.env.MARQUEE_TEST_LONG ? 100 : 2

test(`after ${KILLS} times kill -9 before and inside complete, every post is whole or a draft`, {
  timeout: KILLS * 60_000 + 120_000,
}, async () => {
  const dataDir = freshDataDir()
  const [image, video] = [await smallJpeg(), await clip(1)]
  let service = await startService({ dataDir })
  const { project_id: projectId } = service.quickstart
  const { body: feed } = await service.api.post('/feeds', { name: 'F' })
  const begun = new Set<string>()
  const acknowledged = new Set<string>()

  /** Everybody posts until the service is gone. */
  async function writer(number: number): Promise<void> {
    const { send, complete } = authorOf(service.api, projectId, feed.id)
    const isVideo = number === 0
    const more = isVideo ? { content_type: 'video', file_name: 'v.mp4', format: 'mp4' } : {}
    try {
      for (;;) {
        const { post_id } = await send(isVideo ? video : image, more)
        begun.add(post_id)
        if ((await complete(post_id)).status === 200) acknowledged.add(post_id)
      }
    } catch {
      // Killed in the middle of something.
    }
  }

  for (let kill = 0; kill < KILLS; kill++) {
    const before = begun.size
    const writers = Array.from({ length: 3 }, (_, i) => writer(i))
    while (begun.size < before + 2) await sleep(1)
    await sleep((kill * 37) % 400)
    await service.kill()
    await Promise.all(writers)
    service = await startService({ dataDir })
    const shown = new Set(await scroll(service.api, feed.id, 'limit=100'))
    expect([...acknowledged].filter((id) => !shown.has(id))).toEqual([])
  }

  const { base, complete } = authorOf(service.api, projectId, feed.id)
  const shown = await scroll(service.api, feed.id, 'limit=100')
  expect((await service.api.get(`/feeds/${feed.id}`)).body.pagination.total).toBe(shown.length)
  for (const id of shown) {
    const { body } = await service.api.get(`/posts/v1/feeds/${feed.id}/${id}`)
    const { file } = body.image ?? body.video
    expect(file.status).toBe('ready')
    expect((await fetch(local(file.url))).status).toBe(200)
  }
  // What was cut off can be taken up again.
  const drafts = [...begun].filter((id) => !shown.includes(id))
  for (const id of drafts) {
    expect((await service.api.get(`${base}/${id}`)).status).toBe(200)
    expect((await complete(id)).status).toBe(200)
  }
  expect(new Set(await scroll(service.api, feed.id, 'limit=100'))).toEqual(begun)
  expect(begun.size).toBeGreaterThan(KILLS)
  await service.stop()
  discard(dataDir)
})
