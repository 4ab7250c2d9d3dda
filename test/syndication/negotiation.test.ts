import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { publishFeed } from '../support/syndication.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

/** What is asked for, and whether that is RSS. */
const WISHES: [accept: string | undefined, isRss: boolean][] = [
  ['application/rss+xml', true],
  ['application/xml', true],
  ['text/xml', true],
  ['application/rss+xml, application/rdf+xml;q=0.8, application/xml;q=0.4, */*;q=0.1', true],
  ['application/json;q=0.5, application/rss+xml;q=0.9', true],
  ['Application/RSS+XML', true],
  [undefined, false],
  ['*/*', false],
  ['application/json', false],
  ['application/json, application/rss+xml', false],
  ['application/json, application/rss+xml;q=0.9', false],
  ['application/rss+xml;q=0', false],
  ['application/atom+xml', false],
  [BROWSER, false],
]

test('the address of a public feed is RSS to whoever prefers it, and JSON to everybody else', async () => {
  // Nothing is made in the background, which would change what is compared.
  const service = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const { api, url } = service
  const { feed, film, shown } = await publishFeed(service)
  const address = `/feeds/${feed.id}`
  const rss = await (await fetch(`${url}${address}/rss`)).text()
  const json = (await api.get(`/feeds/${feed.id}`)).body
  expect(json.data.map(({ id }) => id)).toEqual([shown.id, film.id])
  for (const [accept, isRss] of WISHES) {
    const about = String(accept)
    const headers: Record<string, string> = accept === undefined ? {} : { accept }
    const anybody = await fetch(url + address, { headers })
    expect(anybody.status, about).toBe(isRss ? 200 : 401)
    expect(anybody.headers.get('vary'), about).toContain('Accept')
    const known = await api.get<unknown>(address, headers)
    expect(known.status, about).toBe(200)
    expect(known.headers.get('vary'), about).toContain('Accept')
    const type = isRss ? 'application/rss+xml; charset=utf-8' : 'application/json; charset=utf-8'
    expect(known.headers.get('content-type'), about).toBe(type)
    expect(known.body, about).toEqual(isRss ? rss : json)
    if (isRss) expect(await anybody.text(), about).toBe(rss)
  }
})

test('as RSS it has an ETag of its own, HEAD, queries that readers add, and no private feed', async () => {
  const service = await composeForTest()
  const { api, url } = service
  const { feed } = await publishFeed(service)
  const headers = { accept: 'application/rss+xml' }
  const address = `${url}/feeds/${feed.id}`
  const response = await fetch(`${address}?from=reader`, { headers })
  expect(response.status).toBe(200)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  const etag = response.headers.get('etag')!
  const again = await fetch(address, { headers: { ...headers, 'if-none-match': etag } })
  expect([again.status, again.headers.get('vary')]).toEqual([304, expect.stringContaining('Accept')])
  expect((await api.get(`/feeds/${feed.id}`, { 'if-none-match': etag })).status).toBe(200)

  // Nothing else below the feed is touched.
  expect((await api.get(`/feeds/${feed.id}/info`, headers)).body).toMatchObject({ id: feed.id })
  expect((await fetch(address, { method: 'DELETE', headers })).status).toBe(401)

  await api.put(`/feeds/${feed.id}`, { visibility: 'private' })
  expect((await fetch(address, { headers })).status).toBe(404)
  expect((await api.get(`/feeds/${feed.id}`)).status).toBe(200)
})
