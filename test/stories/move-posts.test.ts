import { expect, test } from 'vitest'
import { newId } from '../../server/base/ids.ts'
import { placesBetween } from '../../server/feeds/posts/places.ts'
import { key } from '../support/api.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { scroll } from '../support/posts.ts'
import { addTenant } from '../support/world.ts'

const NO_LIMITS = { MARQUEE_LIMIT_KEY_PER_MINUTE: '0', MARQUEE_LIMIT_PUBLIC_PER_MINUTE: '0' }

/** A post of an image that is rows only. */
async function addPost({ api, sql, seed }: InProcess, feedId: string, creator_id = ''): Promise<string> {
  const [fileId, imageId] = [newId('file'), newId('image')]
  await sql`
    insert into files (id, project_id, kind, name, status, upload_expires)
    values (${fileId}, ${seed.project_id}, 'image', 'a', 'ready', now())`
  await sql`
    insert into images (id, project_id, file_id, width, height, thumbhash)
    values (${imageId}, ${seed.project_id}, ${fileId}, 1, 1, '')`
  const content = { content_ids: [imageId], content_type: 'image', creator_id }
  return (await api.post(`/feeds/${feedId}/content`, content)).body.data[0].id
}

/** A public feed with so many posts; answers their ids as they are read. */
async function feedOf(service: InProcess, count: number) {
  const { body: feed } = await service.api.post('/feeds', { name: 'F', visibility: 'public' })
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.unshift(await addPost(service, feed.id, `c${i % 2}`))
  return { feedId: feed.id as string, ids }
}

test('posts are moved, and every reader sees the same order', async () => {
  const service = await composeForTest({ env: NO_LIMITS })
  const { api, url, seed } = service
  const { feedId, ids } = await feedOf(service, 9)
  const base = `/posts/v1/projects/${seed.project_id}/feeds/${feedId}/posts`
  const read = async (path: string): Promise<string[]> =>
    (await api.get(path)).body.data.map(({ id }: { id: string }) => id)
  const etag = async () => (await fetch(`${url}/posts/v1/feeds/${feedId}`)).headers.get('etag')
  const rss = async (kind: string) => {
    const text = await (await fetch(`${url}/feeds/${feedId}/${kind}`)).text()
    return [...text.matchAll(/<guid[^>]*>(post_\w+)<\/guid>/g)].map(([, id]) => id)
  }

  let seedOfChance = 7
  const chance = (below: number) => {
    seedOfChance = (seedOfChance * 1103515245 + 12345) % 2 ** 31
    return seedOfChance % below
  }
  const order = [...ids]
  for (let i = 0; i < 40; i++) {
    const moved = order[chance(order.length)]!
    const others = order.filter((id) => id !== moved)
    const other = others[chance(others.length)]!
    const side = chance(2) ? 'before' : 'after'
    const before = [...order]
    const oldTag = await etag()
    const { status, body } = await api.post(`${base}/${moved}/move`, { [side]: other })
    expect([status, body.id]).toEqual([200, moved])
    order.splice(0, order.length, ...others)
    order.splice(order.indexOf(other) + (side === 'before' ? 0 : 1), 0, moved)
    expect(await read(`/feeds/${feedId}`), `${moved} ${side} ${other}`).toEqual(order)
    expect((await etag()) === oldTag).toBe(before.join() === order.join())
  }
  expect(order).not.toEqual(ids)
  expect(await scroll(api, feedId)).toEqual(order)
  expect([...(await read(`/feeds/${feedId}?limit=4`)), ...(await read(`/feeds/${feedId}?offset=4`))]).toEqual(
    order,
  )
  expect(await read(`/posts/v1/feeds/${feedId}`)).toEqual(order)
  expect(await read(base)).toEqual(order)
  const ofCreator = order.filter((id) => ids.indexOf(id) % 2 === 0)
  expect(await read(`/feeds/${feedId}/creators/c0`)).toEqual(ofCreator)
  expect(await rss('rss')).toEqual(order)

  // A new post is the first; a cursor holds its place while what it stands on moves away.
  const page = (await api.get(`/feeds/${feedId}?limit=3`)).body
  await api.post(`${base}/${order[2]}/move`, { after: order.at(-1) })
  const rest = await read(`/feeds/${feedId}?cursor=${page.pagination.next_cursor}`)
  expect(rest).toEqual([...order.slice(3), order[2]])
  const fresh = await addPost(service, feedId)
  expect((await read(`/feeds/${feedId}`))[0]).toBe(fresh)

  const [first, second] = order as [string, string]
  const draft = (
    await api.post(`${base}/upload/init`, { content_type: 'image', file_name: 'a.jpg', format: 'jpg' })
  ).body.post_id
  const { ids: elsewhere } = await feedOf(service, 1)
  const refused: [string, object, number][] = [
    [first, {}, 400],
    [first, { before: second, after: second }, 400],
    [first, { before: first }, 400],
    [first, { before: 'x' }, 400],
    [first, { before: draft }, 409],
    [draft, { before: first }, 409],
    [first, { after: elsewhere[0] }, 404],
    [elsewhere[0]!, { after: first }, 404],
  ]
  for (const [id, move, status] of refused)
    expect((await api.post(`${base}/${id}/move`, move)).status, JSON.stringify(move)).toBe(status)
  const other = await addTenant(service, 'other')
  const theirs = api.as(key(other.secretKey))
  const across = base.replace(seed.project_id, other.projectId)
  expect((await theirs.post(`${across}/${first}/move`, { after: second })).status).toBe(404)
  expect((await theirs.post(`${base}/${first}/move`, { after: second })).status).toBe(403)
})

test('places are spread out anew where many posts were moved to one spot', async () => {
  const service = await composeForTest({ env: NO_LIMITS })
  const { api, sql, seed } = service
  const { feedId, ids } = await feedOf(service, 5)
  const base = `/posts/v1/projects/${seed.project_id}/feeds/${feedId}/posts`
  const [a, b, c, d, e] = ids as [string, string, string, string, string]
  const longest = async () => {
    const [row] = await sql<{ longest: number }[]>`select max(length(place)) as longest from posts`
    return row!.longest
  }
  // As if two posts had been moved to right after the first in turn, each time into half of the gap.
  const near: string[] = [d]
  while (near.at(-1)!.length < 118) near.push(placesBetween(near.at(-1), a, 1)[0]!)
  await sql`update posts set moved_to = ${near.at(-1)!} where id = ${b}`
  await sql`update posts set moved_to = ${near.at(-2)!} where id = ${c}`
  expect(await scroll(api, feedId)).toEqual([a, b, c, d, e])
  for (let i = 1; i <= 30; i++) {
    const [first, second] = i % 2 ? [c, b] : [b, c]
    expect((await api.post(`${base}/${first}/move`, { after: a })).status).toBe(200)
    expect(await scroll(api, feedId)).toEqual([a, first, second, d, e])
  }
  expect(await longest()).toBeLessThan(100)
  const [feed] = await sql`
    select post_count, (select sum(post_count)::int from feed_blocks where feed_id = f.id) as in_blocks
    from feeds f where id = ${feedId}`
  expect(feed).toEqual({ post_count: 5, in_blocks: 5 })
})
