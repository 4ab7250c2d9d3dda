import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { publishFeed } from '../support/syndication.ts'
import { made, videoUploaderOf } from '../support/video.ts'

test('a feed is private unless it is made public, and then everybody may list it', async () => {
  // Nothing is made in the background, which would change what is compared.
  const service = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const { api, url } = service
  const { feed, film, shown } = await publishFeed(service)
  expect(feed.visibility).toBe('public')
  const anybody = api.as({})
  const listed = await anybody.get(`/posts/v1/feeds/${feed.id}`)
  expect(listed.body).toEqual((await api.get(`/feeds/${feed.id}`)).body)
  expect(listed.body.data.map(({ id }) => id)).toEqual([shown.id, film.id])
  const first = await anybody.get(`/posts/v1/feeds/${feed.id}?limit=1`)
  const rest = await anybody.get(`/posts/v1/feeds/${feed.id}?cursor=${first.body.pagination.next_cursor}`)
  expect(rest.body.data).toEqual([listed.body.data[1]])
  expect(listed.headers.get('cache-control')).toBe('public, no-cache')

  const places = ['', '/rss', '/podcast'].map(
    (end) => `${end ? '/feeds' : '/posts/v1/feeds'}/${feed.id}${end}`,
  )
  places.push(`/embed/${feed.id}`)
  for (const place of places) expect((await fetch(url + place)).status, place).toBe(200)
  const closed = await api.put(`/feeds/${feed.id}`, { visibility: 'private' })
  expect(closed.body).not.toHaveProperty('visibility')
  for (const place of places) expect((await fetch(url + place)).status, place).toBe(404)
  // Its posts are still read one by one, by those who know them.
  expect((await fetch(`${url}/posts/v1/feeds/${feed.id}/${film.id}`)).status).toBe(200)
  await api.put(`/feeds/${feed.id}`, { visibility: 'public' })
  await api.delete(`/feeds/${feed.id}`)
  for (const place of places) expect((await fetch(url + place)).status, place).toBe(404)
  expect((await api.put(`/feeds/${feed.id}`, { visibility: 'secret' })).status).toBe(400)
})

test('RSS tells of what is new, and asks for nothing twice', async () => {
  const service = await composeForTest({ env: { MARQUEE_CORS_ORIGINS: 'https://app.example.com' } })
  const { api, url } = service
  const { feed, film, shown } = await publishFeed(service)
  const address = `${url}/feeds/${feed.id}/rss`
  const response = await fetch(address, { headers: { origin: 'https://reader.example' } })
  expect(response.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  const rss = await response.text()
  const guids = [...rss.matchAll(/<guid isPermaLink="false">(.*)<\/guid>/g)].map(([, id]) => id)
  expect(guids).toEqual([shown.id, film.id])
  expect(rss).toContain('<title>The harbour</title>')
  expect(rss).toContain(`<pubDate>${new Date(film.created_at).toUTCString()}</pubDate>`)
  // What it leads to is there.
  for (const [, link] of rss.matchAll(/<link>(.*)<\/link>/g))
    expect((await fetch(local(link!))).status).toBe(200)
  for (const [, picture] of rss.matchAll(/url="([^"]*format=jpg)"/g)) {
    const loaded = await fetch(local(picture!.replaceAll('&amp;', '&')))
    expect([loaded.status, loaded.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  }
  const etag = response.headers.get('etag')!
  expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304)
  await api.put(`/feeds/${feed.id}`, { name: 'Ships & <ferries>' })
  const renamed = await fetch(address, { headers: { 'if-none-match': etag } })
  expect(await renamed.text()).toContain('<title>Ships &amp; &lt;ferries&gt;</title>')
})

test('a podcast has the sound of each video as one file, of exactly the length it says', async () => {
  const service = await composeForTest()
  const { url } = service
  const { feed, film } = await publishFeed(service)
  const sound = `${local(film.video!.file.url)}/audio.m4a`
  const whole = Buffer.from(await (await fetch(sound)).arrayBuffer())
  // Until then it is known only roughly.
  await expect.poll(async () => lengthOf(await podcast())).toBe(whole.length)
  const text = await podcast()
  expect(text.match(/<item>/g)).toHaveLength(1)
  expect(text).toContain(`<enclosure url="${film.video!.file.url}/audio.m4a" type="audio/x-m4a"`)
  expect(text).toContain(`<podcast:source uri="${film.video!.file.url}"/>`)
  expect(text).toContain(`<podcast:source uri="${film.video!.file.url}/download.mp4"/>`)
  const [, told] = /alternateEnclosure type="video\/mp4" length="(\d+)"/.exec(text)!
  const ask = () => fetch(`${local(film.video!.file.url)}/download.mp4`, { method: 'HEAD' })
  await expect.poll(async () => (await ask()).status).toBe(200)
  const download = await ask()
  const share = Number(told) / Number(download.headers.get('content-length'))
  expect(Math.abs(share - 1)).toBeLessThan(0.2)
  expect(text).toContain('<itunes:duration>3</itunes:duration>')
  const [, cover] = /<itunes:image href="([^"]*)"/.exec(text)!
  expect((await fetch(local(cover!.replaceAll('&amp;', '&')))).headers.get('content-type')).toBe('image/jpeg')

  const head = await fetch(sound, { method: 'HEAD' })
  expect(head.headers.get('content-length')).toBe(String(whole.length))
  for (const [start, end] of [
    [0, 0],
    [600, 1500],
    [whole.length - 5000, whole.length - 1],
  ] as const) {
    const part = await fetch(sound, { headers: { range: `bytes=${start}-${end}` } })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(start, end + 1))
  }

  async function podcast(): Promise<string> {
    return (await fetch(`${url}/feeds/${feed.id}/podcast`)).text()
  }
})

test('a podcast says what directories ask for, and has a silent video as its film', async () => {
  const service = await composeForTest()
  const { api, url } = service
  const { feed, film } = await publishFeed(service)
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=2', '-pix_fmt', 'yuv420p']
  const silent = await videoUploaderOf(api).upload(await made(picture, 'mp4'))
  await api.post(`/feeds/${feed.id}/content`, { content_ids: [silent.id], content_type: 'mixed' })
  const text = await (await fetch(`${url}/feeds/${feed.id}/podcast`)).text()
  const [about, newest, older] = text.split('<item>') as [string, string, string]

  expect(about).toContain('<itunes:author>Harbour</itunes:author>')
  expect(about).toContain('<itunes:summary>What comes and goes</itunes:summary>')
  expect(about).toContain('<itunes:category text="TV &amp; Film"/>')
  expect(about).toContain(`/feeds/${feed.id}/podcast" rel="self" type="application/rss+xml"/>`)
  expect(about).toMatch(/<itunes:image href="[^"]*w=1400&amp;h=1400&amp;fit=cover&amp;format=jpg[^"]*"\/>/)
  for (const part of [about, newest, older])
    expect(part).toContain('<itunes:explicit>false</itunes:explicit>')
  for (const item of [newest, older]) {
    expect(item).toMatch(/<guid isPermaLink="false">post_\w+<\/guid>/)
    expect(item).toMatch(/<pubDate>\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT<\/pubDate>/)
  }
  expect(older).toContain(film.id)
  expect(older).toContain('type="audio/x-m4a"')
  expect(older).toContain('<description>The harbour')
  expect(newest).not.toContain('description')

  // No address of a sound that is not there.
  expect(newest).not.toContain('audio')
  const [, address, length] = /<enclosure url="([^"]*)" type="video\/mp4" length="(\d+)"\/>/.exec(newest)!
  expect(address).toBe(`${silent.file.url}/download.mp4`)
  expect(newest).toContain('<itunes:duration>2</itunes:duration>')
  const ask = () => fetch(local(address!), { method: 'HEAD' })
  await expect.poll(async () => (await ask()).status).toBe(200)
  const { headers } = await ask()
  expect(headers.get('content-type')).toBe('video/mp4')
  expect(Math.abs(Number(length) / Number(headers.get('content-length')) - 1)).toBeLessThan(0.5)
  expect((await fetch(`${local(silent.file.url)}/audio.m4a`)).status).toBe(404)
})

function lengthOf(podcast: string): number {
  return Number(/<enclosure [^>]*length="(\d+)"/.exec(podcast)![1])
}

test('what is unlisted is on its page, which search engines leave out, and in no feed of another site', async () => {
  const service = await composeForTest()
  const { api, url } = service
  const { feed, film, shown, video, image } = await publishFeed(service)
  const textOf = async (path: string) => (await fetch(url + path)).text()
  const feeds = () => Promise.all(['rss', 'podcast'].map((kind) => textOf(`/feeds/${feed.id}/${kind}`)))
  const pages = () => Promise.all([film, shown].map(({ id }) => textOf(`/embed/${feed.id}/${id}`)))
  const [rss, podcast] = await feeds()
  expect(rss).toContain(shown.id)
  for (const text of [rss, podcast]) expect(text).toContain(film.id)
  for (const page of await pages()) expect(page).not.toContain('noindex')

  for (const path of [`/videos/${video.id}`, `/images/${image.id}`])
    expect((await api.patch(path as string, { visibility: 'unlisted' })).body.visibility).toBe('unlisted')
  for (const text of await feeds()) {
    expect(text).toContain('<channel>')
    for (const { id } of [film, shown]) expect(text).not.toContain(id)
  }
  for (const page of await pages()) expect(page).toMatch(/<meta name="robots" content="noindex/)
})
