import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { scene } from '../../fixtures/images.ts'
import { videoOf, watchesOf, watching } from '../events.ts'
import { local, uploaderOf } from '../media.ts'
import { authorOf } from '../posts.ts'
import type { TestService } from '../service.ts'
import { tusAt } from '../tus.ts'
import { clip, formsOf, videoUploaderOf } from '../video.ts'
import { deliver, standardEvent, standardSigned } from '../webhooks.ts'

type Headers = Record<string, string>

/** One request that is acknowledged, and what must be seen of it afterwards. */
export interface Deed {
  /** The request itself: with these headers besides, and again without them where it was cut off. */
  act(service: TestService, headers?: Headers): Promise<{ status: number }>
  /** Whether it has happened. Throws where a half of it has. */
  hasHappened(service: TestService): Promise<boolean>
}

const photo = () => scene(320, 200).jpeg().toBuffer()

/** Each sets its stage, which is not what is tested, and answers what is. */
export const OPERATIONS: Record<string, (service: TestService) => Promise<Deed>> = {
  async 'PUT of an upload'({ api }) {
    // Half of a PNG is not taken for one.
    const content = await scene(320, 200).png().toBuffer()
    const name = `${randomUUID()}.png`
    const { body } = await uploaderOf(api).init(name)
    return {
      act: (service, headers) =>
        uploaderOf(service.api).put(at(service, body.presigned_url), new Uint8Array(content), headers),
      async hasHappened(service) {
        const { status } = await uploaderOf(service.api).complete(body.image_id)
        expect([200, 404]).toContain(status)
        return status === 200
      },
    }
  },

  async 'tus PATCH'({ api }) {
    const content = await photo()
    const { body } = await uploaderOf(api).init('resumed.jpg', { resumable: true })
    const tus = (service: TestService) => tusAt(at(service, body.presigned_url))
    return {
      act: async (service, headers) => {
        await tus(service).create(content.length)
        return tus(service).send(0, content, headers)
      },
      async hasHappened(service) {
        const offset = await tus(service).offset()
        return offset === content.length
      },
    }
  },

  async 'POST /images/upload/complete'({ api }) {
    const id = await uploaderOf(api).send(await photo())
    return {
      act: (service, headers) => service.api.post('/images/upload/complete', { image_id: id }, headers),
      hasHappened: (service) => isServed(service, `/images/${id}`),
    }
  },

  async 'POST /videos/upload/complete'({ api }) {
    const { video_id } = await videoUploaderOf(api).send(await clip(1))
    return {
      act: (service, headers) => service.api.post('/videos/upload/complete', { video_id }, headers),
      hasHappened: (service) => isServed(service, `/videos/${video_id}`),
    }
  },

  async 'POST /posts/…/upload/complete'({ api, quickstart }) {
    const { body: feed } = await api.post('/feeds', { name: randomUUID() })
    const author = authorOf(api, quickstart.project_id, feed.id)
    const { post_id } = await author.send(await photo())
    return {
      act: (service, headers) => service.api.post(`${author.base}/upload/complete`, { post_id }, headers),
      async hasHappened(service) {
        const { body } = await service.api.get(`/feeds/${feed.id}`)
        const shown = body.data.some(({ id }: { id: string }) => id === post_id)
        expect(body.pagination.total).toBe(shown ? 1 : 0)
        if (shown) expect(await isServed(service, `/posts/v1/feeds/${feed.id}/${post_id}`)).toBe(true)
        return shown
      },
    }
  },

  async 'POST /analytics/v1/events'() {
    const video = videoOf(Number.parseInt(randomUUID().slice(0, 8), 16))
    const key = randomUUID()
    return {
      act: (service, headers) =>
        service.api.post('/analytics/v1/events', watching(video, 3), { 'idempotency-key': key, ...headers }),
      async hasHappened(service) {
        const watches = await watchesOf(service.api, video)
        expect([0, 3]).toContain(watches)
        return watches === 3
      },
    }
  },

  async 'POST /organizations/…/api-keys'({ quickstart }) {
    const name = randomUUID()
    const base = `/organizations/${quickstart.org_id}/api-keys/v1`
    return {
      act: (service, headers) =>
        ownerOf(service).post(base, { name, project_id: quickstart.project_id }, headers),
      async hasHappened(service) {
        const { body } = await ownerOf(service).get(`${base}?limit=100`)
        const made = body.api_keys.filter((one: { name: string }) => one.name === name)
        expect(made.length).toBeLessThan(2)
        return made.length === 1
      },
    }
  },

  async 'PATCH /images/…'({ api }) {
    const { body } = await uploaderOf(api).upload(await photo())
    const change = { name: 'changed', description: 'as well', metadata: { both: 'yes' } }
    return {
      act: (service, headers) => service.api.patch(`/images/${body.id}`, change, headers),
      async hasHappened(service) {
        const { file, description, metadata } = (await service.api.get(`/images/${body.id}`)).body
        const found = [
          file.name === change.name,
          description === change.description,
          metadata?.both === 'yes',
        ]
        expect(new Set(found).size).toBe(1)
        return found[0]!
      },
    }
  },

  async 'DELETE /videos/…'({ api }) {
    const video = await videoUploaderOf(api).upload(await clip(1))
    return {
      act: (service, headers) => service.api.delete(`/videos/${video.id}`, headers),
      hasHappened: async (service) => !(await isServed(service, `/videos/${video.id}`)),
    }
  },

  async 'PUT of subtitles'({ api }) {
    const video = await videoUploaderOf(api).upload(await clip(1))
    const text = 'WEBVTT\n\n00:00.000 --> 00:00.900\nHello\n'
    return {
      act: (service, headers) =>
        formsOf(
          { url: service.url, seed: service.quickstart },
          { 'x-api-key': service.quickstart.api_key, ...headers },
        ).put(`/videos/${video.id}/subtitles/en`, ['file', { name: 'en.vtt', content: text }]),
      async hasHappened(service) {
        const { body } = await service.api.get(`/videos/${video.id}/subtitles`)
        const tracks = JSON.stringify(body)
        return tracks.includes('"en"')
      },
    }
  },

  async 'POST /billing/webhooks/…'({ quickstart }) {
    const id = `msg_${randomUUID()}`
    const data = { subscription_id: `sub_${randomUUID()}`, org_id: quickstart.org_id, plan: 'price_large' }
    const signed = standardSigned(standardEvent('subscription.created', data), { id })
    return {
      act: (service, headers) => deliver(service.url, signed, { more: headers ?? {} }),
      async hasHappened(service) {
        const events = `/billing/v1/events/${id}?org_id=${quickstart.org_id}`
        const { status } = await ownerOf(service).get(events)
        expect([200, 404]).toContain(status)
        return status === 200
      },
    }
  },
}

const at = (service: TestService, url: string) => url.replace(/^https?:\/\/[^/]+/, service.url)
const ownerOf = ({ api, quickstart }: TestService) =>
  api.as({ authorization: `Bearer ${quickstart.access_token}` })

/** A record that says ready is served whole; one that is there and not ready has not happened. */
async function isServed(service: TestService, path: string): Promise<boolean> {
  const { status, body } = await service.api.get(path)
  expect([200, 404]).toContain(status)
  if (status === 404) return false
  const file = body.file ?? (body.image ?? body.video)?.file
  if (file?.status !== 'ready') return false
  const served = await fetch(at(service, local(file.url)))
  expect(served.status).toBe(200)
  await served.arrayBuffer()
  return true
}
