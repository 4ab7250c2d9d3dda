import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Api } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { authorOf, scroll, smallJpeg } from '../support/posts.ts'

const RUNS = process.env.MARQUEE_TEST_LONG ? 150 : 8
const CREATORS = ['', 'ann', 'bob']

interface ModelPost {
  id: string
  imageId: string
  creator: string
  description: string
  published: boolean
}

/** Feeds as plain lists; what the service is held against. */
class Model {
  feeds = new Map<string, ModelPost[]>()
  images = new Set<string>()

  shown(feedId: string, creator?: string): ModelPost[] {
    return (this.feeds.get(feedId) ?? [])
      .filter((post) => post.published && (creator === undefined || post.creator === creator))
      .sort((a, b) => (a.id < b.id ? 1 : -1))
  }
}

const pick = fc.nat({ max: 1000 })
const operation = fc.oneof(
  fc.record({ op: fc.constant('feed' as const) }),
  fc.record({ op: fc.constant('image' as const) }),
  fc.record({
    op: fc.constant('add' as const),
    feed: pick,
    images: fc.array(pick, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ op: fc.constant('draft' as const), feed: pick, creator: fc.constantFrom(...CREATORS) }),
  fc.record({ op: fc.constant('complete' as const), feed: pick, post: pick }),
  fc.record({
    op: fc.constant('patch' as const),
    feed: pick,
    post: pick,
    creator: fc.constantFrom(...CREATORS),
  }),
  fc.record({ op: fc.constant('delete post' as const), feed: pick, post: pick }),
  fc.record({ op: fc.constant('delete image' as const), image: pick }),
  fc.record({ op: fc.constant('delete feed' as const), feed: pick }),
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

const at = <T>(values: Iterable<T>, index: number): T | undefined => {
  const all = [...values]
  return all[index % Math.max(1, all.length)]
}

test('the API does what a plain list of posts would', { timeout: 1_800_000 }, async () => {
  const { api, seed } = await composeForTest({
    env: { MARQUEE_ROLES: 'api', MARQUEE_LIMIT_KEY_PER_MINUTE: '0', MARQUEE_LIMIT_PUBLIC_PER_MINUTE: '0' },
  })
  const content = await smallJpeg()

  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), async (operations) => {
      const model = new Model()
      for (const one of [{ op: 'feed' as const }, { op: 'image' as const }, ...operations]) {
        await apply(one, model)
        await hold(api, model)
      }
      for (const feedId of model.feeds.keys()) await api.delete(`/feeds/${feedId}`)
    }),
    { numRuns: RUNS },
  )

  async function apply(one: Operation, model: Model): Promise<void> {
    const feedId = 'feed' in one ? at(model.feeds.keys(), one.feed) : undefined
    const posts = feedId === undefined ? [] : model.feeds.get(feedId)!
    const post = 'post' in one ? at(posts, one.post) : undefined
    const poster = authorOf(api, seed.project_id, feedId ?? '')
    if (one.op === 'feed') model.feeds.set((await api.post('/feeds', { name: 'F' })).body.id, [])
    if (one.op === 'image') model.images.add((await uploaderOf(api).upload(content)).body.id)
    if (one.op === 'add' && feedId && model.images.size > 0) {
      const ids = [...new Set(one.images.map((image) => at(model.images, image)!))]
      const { status, body } = await api.post(`/feeds/${feedId}/content`, {
        content_ids: ids,
        content_type: 'mixed',
      })
      expect(status).toBe(200)
      for (const [i, imageId] of ids.entries()) {
        const known = posts.find((other) => other.imageId === imageId)
        if (known) known.published = true
        else posts.push({ id: body.data[i]!.id, imageId, creator: '', description: '', published: true })
      }
    }
    if (one.op === 'draft' && feedId) {
      const begun = await poster.send(content, { creator_id: one.creator })
      const made = { id: begun.post_id, imageId: begun.content_id, description: '', published: false }
      posts.push({ ...made, creator: one.creator })
    }
    if (one.op === 'complete' && post) {
      expect((await poster.complete(post.id)).status).toBe(200)
      post.published = true
      model.images.add(post.imageId)
    }
    if (one.op === 'patch' && post) {
      const changes = { creator_id: one.creator, description: `by ${one.creator}` }
      expect((await api.patch(`${poster.base}/${post.id}`, changes)).status).toBe(200)
      Object.assign(post, { creator: one.creator, description: changes.description })
    }
    if (one.op === 'delete post' && post) {
      expect((await api.delete(`${poster.base}/${post.id}`)).status).toBe(204)
      posts.splice(posts.indexOf(post), 1)
    }
    if (one.op === 'delete image') {
      const imageId = at(model.images, one.image)
      if (!imageId) return
      expect((await api.delete(`/images/${imageId}`)).status).toBe(204)
      model.images.delete(imageId)
      for (const [id, list] of model.feeds)
        model.feeds.set(
          id,
          list.filter((other) => other.imageId !== imageId),
        )
    }
    if (one.op === 'delete feed' && feedId) {
      expect((await api.delete(`/feeds/${feedId}`)).status).toBe(204)
      expect((await api.get(`/feeds/${feedId}`)).status).toBe(404)
      model.feeds.delete(feedId)
    }
  }
})

async function hold(api: Api, model: Model): Promise<void> {
  for (const feedId of model.feeds.keys()) {
    const expected = model.shown(feedId)
    const { body } = await api.get(`/feeds/${feedId}?limit=100`)
    const seen = body.data.map((post) => ({
      id: post.id,
      imageId: post.image_id,
      creator: post.creator_id,
      description: post.description,
      published: true,
    }))
    expect(seen).toEqual(expected)
    expect(body.pagination.total).toBe(expected.length)
    expect(await scroll(api, feedId, 'limit=3')).toEqual(expected.map(({ id }) => id))
    const page = await api.get(`/feeds/${feedId}?limit=2&offset=1`)
    expect(page.body.data.map(({ id }: { id: string }) => id)).toEqual(
      expected.slice(1, 3).map(({ id }) => id),
    )
    const ann = model.shown(feedId, 'ann')
    const ofAnn = await api.get(`/feeds/${feedId}/creators/ann`)
    expect(ofAnn.body.data.map(({ id }: { id: string }) => id)).toEqual(ann.map(({ id }) => id))
    expect(ofAnn.body.pagination.total).toBe(ann.length)
    for (const { id, published } of model.feeds.get(feedId)!)
      expect((await api.get(`/posts/v1/feeds/${feedId}/${id}`)).status).toBe(published ? 200 : 404)
  }
}
