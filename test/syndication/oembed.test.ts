import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { publishFeed } from '../support/syndication.ts'

test('oEmbed describes a post by the address of its page', async () => {
  const service = await composeForTest()
  const { url } = service
  const { feed, film, shown } = await publishFeed(service)
  const ask = async (page: string, more = '') => {
    const response = await fetch(`${url}/oembed?url=${encodeURIComponent(page)}${more}`)
    const isJson = response.headers.get('content-type')!.includes('json')
    const text = await response.text()
    return { status: response.status, body: isJson ? JSON.parse(text) : text }
  }
  // The page names itself, and says where it is described.
  const html = await (await fetch(`${url}/embed/${feed.id}/${film.id}`)).text()
  const [, page] = /<link rel="canonical" href="([^"]*)"/.exec(html)!
  const [, described] = /type="application\/json\+oembed" href="([^"]*)"/.exec(html)!
  const { status, body } = await ask(page!)
  expect(status).toBe(200)
  expect(await (await fetch(local(described!))).json()).toEqual(body)
  const { width, height } = film.video!
  expect(body).toMatchObject({
    version: '1.0',
    type: 'video',
    title: 'The harbour',
    author_name: 'ada',
    width,
    height,
    html: expect.stringMatching(/^<iframe .*<\/iframe>$/),
  })
  const [, src] = /src="([^"]*)"/.exec(body.html)!
  expect((await fetch(local(src!))).status).toBe(200)
  const thumbnail = await fetch(local(body.thumbnail_url))
  expect(thumbnail.headers.get('content-type')).toBe('image/jpeg')

  // No larger than there is room for, in the same proportion.
  const small = (await ask(page!, '&maxwidth=100&maxheight=4000')).body
  expect(small.width).toBe(100)
  expect(small.height).toBe(Math.round((100 * height) / width))
  expect(small.html).toContain(`width="100" height="${small.height}"`)
  expect(small.thumbnail_width).toBeLessThanOrEqual(100)
  const low = (await ask(page!, '&maxheight=20')).body
  expect([low.height, low.thumbnail_height <= 20]).toEqual([20, true])

  // Options of the player stay; nothing else gets into the page of somebody else.
  const chosen = (await ask(`${page}?start=3&autoplay=1&evil="><script>`)).body.html
  expect(chosen).toContain(`src="${page}?start=3&amp;autoplay=1"`)
  expect(chosen).not.toContain('script')

  const photo = (await ask(`${url.replace('127.0.0.1', 'localhost')}/embed/${feed.id}/${shown.id}`)).body
  expect(photo).toMatchObject({ type: 'photo', width: 64, height: 40 })
  expect((await fetch(local(photo.url))).status).toBe(200)

  const xml = await ask(page!, '&format=xml')
  expect(xml.body).toContain('<oembed>\n<version>1.0</version>')
  expect(xml.body).toContain('<html>&lt;iframe ')
  expect((await ask(page!, '&format=yaml')).body).toMatchObject({ code: 501, error: 'Not Implemented' })
  for (const other of [
    'https://elsewhere.example/embed/a/b',
    `${page}x`,
    page!.replace('/embed/', '/other/'),
    page!.replace(film.id, `post_${'0'.repeat(26)}`),
    'nothing',
  ])
    expect((await ask(other)).status, other).toBe(404)
  for (const wrong of ['', '?url=', `?url=${page}&maxwidth=0`, `?url=${page}&maxheight=x`])
    expect([400, 404]).toContain((await fetch(`${url}/oembed${wrong}`)).status)
})
