import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FeedPosts } from '../../packages/player/src/feed-posts.ts'

const LIMIT = 5
/** Posts that are here at a time, whatever the feed's length: those that are near, and the rest of their pages. */
const MOST = 2 * 30 + 4 * LIMIT

/** A feed as the service has it, newest first; ids count down from some thousand. */
function feedOf(count: number) {
  let posts = Array.from({ length: count }, (_, i) => (count - i) * 1000)
  return {
    ids: () => posts.map(String),
    async read(cursor: string | null) {
      const rest = cursor === null ? posts : posts.filter((id) => id < Number(cursor))
      const data = rest.slice(0, LIMIT).map((id) => ({ id: String(id) }))
      const more = rest.length > LIMIT && { next_cursor: data.at(-1)!.id }
      return { data, pagination: { total: posts.length, ...more } }
    },
    insert(before: number) {
      const id = (posts[before % posts.length] ?? 0) + 1 + Math.floor(Math.random() * 900)
      posts = [...new Set([...posts, id])].sort((one, other) => other - one)
    },
    delete(at: number) {
      if (posts.length > 1) posts.splice(at % posts.length, 1)
    },
  }
}

interface Viewer {
  posts: FeedPosts<{ id: string }>
  index: number
}

async function settle({ posts, index }: Viewer): Promise<void> {
  const before = posts.at(index)?.id
  posts.letGo(index)
  for (let work = posts.toRead(index); work; work = posts.toRead(index)) await work()
  // Whatever is read, the post that is seen stays where it is.
  if (before) expect(posts.at(index)!.id).toBe(before)
}

function here({ posts }: Viewer): string[] {
  const ids: string[] = []
  for (let at = posts.first; at < posts.end; at++) if (posts.at(at)) ids.push(posts.at(at)!.id)
  return ids
}

async function walk(viewer: Viewer, by: number): Promise<string[]> {
  const seen: string[] = []
  for (let steps = Math.abs(by); steps > 0; steps--) {
    const to = viewer.index + Math.sign(by)
    if (!viewer.posts.at(to)) break
    viewer.index = to
    await settle(viewer)
    seen.push(viewer.posts.at(to)!.id)
  }
  return seen
}

const steps = fc.array(
  fc.oneof(
    fc.record({ walk: fc.integer({ min: -120, max: 150 }) }),
    fc.record({ insert: fc.nat(400) }),
    fc.record({ delete: fc.nat(400) }),
  ),
  { maxLength: 20 },
)

test('whoever walks through a feed that changes sees what stays in it once, in order, and holds little of it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 300 }), steps, async (count, all) => {
      const feed = feedOf(count)
      const lasting = new Set(feed.ids())
      const viewer: Viewer = { posts: new FeedPosts(feed.read), index: 0 }
      viewer.index = await viewer.posts.begin()
      await settle(viewer)
      for (const step of all) {
        if ('walk' in step) await walk(viewer, step.walk)
        else if ('insert' in step) feed.insert(step.insert)
        else feed.delete(step.delete)
        const ids = here(viewer)
        expect(ids).toEqual([...new Set(ids)].sort((one, other) => Number(other) - Number(one)))
        expect(ids.length).toBeLessThanOrEqual(MOST)
      }
      for (const id of lasting) if (!feed.ids().includes(id)) lasting.delete(id)
      await walk(viewer, -1000)
      const first = viewer.posts.at(viewer.index)!.id
      const seen = [first, ...(await walk(viewer, 1000))]
      expect(viewer.posts.hasMore).toBe(false)
      expect(seen.filter((id) => lasting.has(id))).toEqual(feed.ids().filter((id) => lasting.has(id)))
    }),
    { numRuns: process.env.MARQUEE_TEST_LONG ? 2000 : 100 },
  )
})

test('whoever comes back begins with the post that they saw, or where it was', async () => {
  const feed = feedOf(100)
  const viewer: Viewer = { posts: new FeedPosts(feed.read), index: 0 }
  await viewer.posts.begin()
  await settle(viewer)
  await walk(viewer, 62)
  const seen = viewer.posts.at(62)!
  const place = viewer.posts.placeOf(seen)!
  const again: Viewer = { posts: new FeedPosts(feed.read), index: 0 }
  again.index = await again.posts.begin(JSON.parse(JSON.stringify(place)))
  expect([again.index, again.posts.at(62)]).toEqual([62, seen])
  await settle(again)
  expect((await walk(again, -100)).at(-1)).toBe(feed.ids()[0])
  expect(again.index).toBe(again.posts.first)

  feed.delete(62)
  const near = new FeedPosts(feed.read)
  expect(near.at(await near.begin(place))!.id).toBe(feed.ids()[60])
})

test('a post that is left out changes nothing for whoever is behind it', async () => {
  const feed = feedOf(20)
  const viewer: Viewer = { posts: new FeedPosts(feed.read), index: 0 }
  await viewer.posts.begin()
  await settle(viewer)
  await walk(viewer, 6)
  const { posts } = viewer
  const [before, seen, next, last] = [3, 6, 7, 8].map((at) => posts.at(at)!)
  posts.remove(before!, 6)
  posts.remove(next!, 6)
  expect([posts.at(6), posts.at(7)]).toEqual([seen, last])
  expect(posts.first).toBe(1)
})
