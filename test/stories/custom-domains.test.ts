import http from 'node:http'
import { expect, test } from 'vitest'
import { key } from '../support/api.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { clip, videoUploaderOf } from '../support/video.ts'
import { addTenant } from '../support/world.ts'

const DOMAIN = 'media.acme.example'

test('a project’s media is under the domain that it has proved, and nobody else’s is', async () => {
  const dns = await startDnsServer()
  const service = await composeForTest({ env: { MARQUEE_DNS_SERVERS: dns.address } })
  const acme = await addTenant(service, 'acme')
  const other = await addTenant(service, 'other')
  const api = service.api.as(key(acme.secretKey))
  const mine = (await uploaderOf(api).upload(await smallJpeg())).body
  const theirs = (await uploaderOf(service.api.as(key(other.secretKey))).upload(await smallJpeg())).body
  const video = await videoUploaderOf(api).upload(await clip(1))
  const theirFilm = await videoUploaderOf(service.api.as(key(other.secretKey))).upload(await clip(1))
  const { id: feed } = (await api.post('/feeds', { name: 'News', visibility: 'public' })).body
  await api.post(`/feeds/${feed}/content`, { content_ids: [mine.id], content_type: 'image' })
  const listed = async () => (await (await fetch(`${service.url}/posts/v1/feeds/${feed}`)).text()) as string
  expect(await listed()).not.toContain(DOMAIN)

  const { port } = new URL(service.url)
  const ask = (address: string, host: string) =>
    new Promise<number>((resolve, reject) => {
      const { pathname } = new URL(address)
      const options = { port, host: '127.0.0.1', path: pathname, headers: { host } }
      http.get(options, (response) => resolve(response.resume().statusCode!)).on('error', reject)
    })

  const project: string = `/organizations/${acme.orgId}/projects/v1/${acme.projectId}`
  const claim = () => acme.owner.put(`${project}/custom-domain`, { custom_domain: DOMAIN })
  const { custom_domain_record: record } = (await claim()).body
  // A claim is no proof: nothing changes for it.
  expect((await api.get(`/images/${mine.id as string}`)).body.file.url).toBe(mine.file.url)
  dns.texts.set(record.name, [record.value])
  expect((await claim()).body).toMatchObject({ custom_domain_status: 'verified' })

  const address = mine.file.url.replace('//localhost', `//${DOMAIN}`)
  // Where there are several processes, each hears of it in a moment.
  const shown = async () => (await api.get(`/images/${mine.id as string}`)).body.file.url
  await expect.poll(() => Promise.all([shown(), shown()])).toEqual([address, address])
  expect(await listed()).toContain(address)
  expect(
    (await service.api.as(key(other.secretKey)).get(`/images/${theirs.id as string}`)).body.file.url,
  ).toBe(theirs.file.url)
  const film = (await api.get(`/videos/${video.id as string}`)).body
  for (const [of, before] of [
    [film.file.url, video.file.url],
    [film.poster.file.url, video.poster.file.url],
  ] as const)
    expect(of).toBe(before.replace('//localhost', `//${DOMAIN}`))
  const parts = ['', '/master.m3u8', '/v90/index.m3u8', '/v90/0.m4s', '/storyboard.vtt', '/preview.webp']
  for (const part of parts) {
    expect(await ask(film.file.url + part, DOMAIN), part).toBe(200)
    expect(await ask(theirFilm.file.url + part, DOMAIN), part).toBe(404)
  }
  expect(await ask(film.poster.file.url, DOMAIN)).toBe(200)
  const host = new URL(address).host
  const { port: itsPort } = new URL(address)
  for (const written of [host, DOMAIN.toUpperCase(), `${DOMAIN}.`, `${DOMAIN}.:${itsPort}`]) {
    expect(await ask(address, written), written).toBe(200)
    expect(await ask(theirs.file.url, written), written).toBe(404)
  }
  // Pages may load media of their own project from there, and of nobody else; that of the console serves all projects.
  const shared = new URL(mine.file.url).origin
  const policyOf = async (path: string) =>
    (await fetch(service.url + path)).headers.get('content-security-policy')!
  const sourcesOf = (policy: string, of: string) =>
    new RegExp(`(?:^|; )${of} ([^;]*)`).exec(policy)![1]!.split(' ')
  const own = await policyOf(`/embed/${feed}`)
  const [{ id: post }] = (await api.get(`/feeds/${feed as string}`)).body.data as [{ id: string }]
  expect(await policyOf(`/embed/${feed}/${post}`)).toBe(own)
  expect(sourcesOf(own, 'media-src')).toEqual([shared, new URL(address).origin, 'blob:', 'data:'])
  expect(sourcesOf(own, 'connect-src')).toEqual(["'self'", shared, new URL(address).origin])
  const { id: otherFeed } = (
    await service.api.as(key(other.secretKey)).post('/feeds', { name: 'Other', visibility: 'public' })
  ).body
  for (const path of [`/embed/${otherFeed}`, '/console/']) {
    const policy = await policyOf(path)
    expect(policy, path).not.toContain(DOMAIN)
    expect(sourcesOf(policy, 'connect-src'), path).toContain(shared)
    for (const of of ['img-src', 'media-src', 'connect-src'])
      for (const scheme of ['http:', 'https:', '*'])
        expect(sourcesOf(policy, of), `${path}: ${of}`).not.toContain(scheme)
  }
  const etag = (await fetch(`${service.url}/embed/${feed}`)).headers.get('etag')
  // An address that somebody has from before works on.
  expect(await ask(mine.file.url, new URL(mine.file.url).host)).toBe(200)

  expect((await acme.owner.delete(`${project}/custom-domain`)).status).toBe(200)
  await expect.poll(() => Promise.all([shown(), shown()])).toEqual([mine.file.url, mine.file.url])
  expect(await listed()).not.toContain(DOMAIN)
  // Whoever has the page from before gets the new one, with what it may load.
  expect((await fetch(`${service.url}/embed/${feed}`)).headers.get('etag')).not.toBe(etag)
})
