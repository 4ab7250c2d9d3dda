import { expect, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { fileServer, sendFile } from '../support/file-server.ts'
import { composeForTest } from '../support/in-process.ts'
import { objectsOnDisk } from '../support/media.ts'

const MIB = 2 ** 20

test('nothing is imported from inside, or more than is taken, whatever a server says', {
  timeout: 120_000,
}, async () => {
  const dns = await startDnsServer()
  const { api, seed, sql, dataDir } = await composeForTest({
    env: {
      // Everything but this address is inside.
      MARQUEE_OUTBOUND_NETWORKS: '127.0.0.2/32',
      MARQUEE_DNS_SERVERS: dns.address,
      MARQUEE_IMPORT_SILENCE: '1',
      MARQUEE_IMPORT_TRY: '1',
    },
  })
  const photo = await scene(640, 400).jpeg({ quality: 95 }).toBuffer()
  const inside = await fileServer((request, response) => sendFile(request, response, photo), '127.0.0.1')
  let sent = 0
  const outside = await fileServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://outside')
    const left = Number(searchParams.get('left'))
    const redirect = (location: string) => response.writeHead(302, { location }).end('elsewhere')
    switch (pathname) {
      case '/photo.jpg':
        return sendFile(request, response, photo)
      case '/cut.jpg':
        return sendFile(request, response, photo, { cutAfter: 2000 })
      case '/redirects':
        return redirect(left > 0 ? `/redirects?left=${left - 1}` : '/photo.jpg')
      case '/to-loopback':
        return redirect(`http://127.0.0.1:${inside.port}/`)
      case '/to-file':
        return redirect('file:///etc/passwd')
      case '/to-name':
        return redirect(`http://inside.test:${inside.port}/`)
      case '/huge':
        return response.writeHead(200, { 'content-length': 300 * 1024 ** 3 }).write('x')
      case '/endless': {
        response.writeHead(200)
        const block = Buffer.alloc(MIB)
        const more = () => {
          while (!response.destroyed && response.write(block)) sent += MIB
          sent += MIB
        }
        response.on('drain', more)
        return more()
      }
      case '/silent':
        return response.writeHead(200, { 'content-length': 9000 }).write('x')
      case '/short':
        response.writeHead(200, { 'content-length': 9000 })
        return response.write('x'.repeat(4000), () => response.destroy())
      case '/long':
        return response.writeHead(206, { 'content-range': 'bytes 0-9/10' }).end(photo)
      case '/packed':
        return response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
      case '/page':
        return response.writeHead(200, { 'content-type': 'image/jpeg' }).end('<html><body>no</body></html>')
      case '/empty':
        return response.writeHead(200).end()
      case '/mute':
        return
      default:
        return response.writeHead(404).end('not here')
    }
  })
  dns.addresses.set('outside.test', [['127.0.0.2']])
  dns.addresses.set('inside.test', [['127.0.0.1']])
  dns.addresses.set('both.test', [['127.0.0.2', '10.0.0.7']])
  // Outside when it is looked at, inside when it is asked again.
  dns.addresses.set('rebinds.test', [['127.0.0.2'], ['127.0.0.1']])
  // Asked twice it would be inside: what is looked at is what is called.
  dns.addresses.set('once.test', [['127.0.0.2'], ['127.0.0.1']])
  // The port of what is inside, reached by a name of what is outside.
  const at = (name: string) => `http://${name}:${outside.port}`

  for (const url of [
    `http://127.0.0.1:${inside.port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://2130706433/',
    'http://name:word@127.0.0.2/',
    'ftp://127.0.0.2/a.jpg',
    'file:///etc/passwd',
    'photo.jpg',
    '',
    'http://',
    'http://[::1',
    'http://127.0.0.2:99999/a.jpg',
    'http://127.0.0.2/a\u0000.jpg',
    'http://127.0.0.2/a.jpg\r\nhost: inside',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    `http://127.0.0.2/${'a'.repeat(2100)}`,
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://①②⑦.0.0.1/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fe80::1]/',
    null,
    17,
    ['http://127.0.0.2/a.jpg'],
  ])
    expect((await api.post('/images/import', { url })).status, String(url)).toBe(400)
  for (const file_name of ['', 'a'.repeat(1025), 5])
    expect(
      (await api.post('/images/import', { url: `${outside.url}/photo.jpg`, file_name })).status,
      String(file_name),
    ).toBe(400)
  const publishable = api.as({ 'x-api-key': seed.publishable_key })
  expect((await publishable.post('/images/import', { url: outside.url })).status).toBe(403)

  const wrong: Record<string, RegExp> = {
    [`http://inside.test:${inside.port}/`]: /^inside\.test is inside a private network/,
    'http://localhost/': /^localhost is inside a private network/,
    [at('both.test')]: /^both\.test is inside a private network/,
    [at('unknown.test')]: /^the name of its server is not known/,
    [`${at('rebinds.test')}/cut.jpg`]: /^rebinds\.test is inside a private network/,
    [`${outside.url}/to-loopback`]: /^127\.0\.0\.1 is inside a private network/,
    [`${outside.url}/to-name`]: /^inside\.test is inside a private network/,
    [`${outside.url}/to-file`]: /^only http and https/,
    [`${outside.url}/redirects?left=5`]: /^it is redirected more than 5 times/,
    [`${outside.url}/huge`]: /^it has more than 100 MiB/,
    [`${outside.url}/endless`]: /^it has more than 100 MiB/,
    [`${outside.url}/silent`]: /^no bytes for 1 seconds/,
    [`${outside.url}/mute`]: /^no answer within 1 seconds/,
    [`${outside.url}/short`]: /^its server broke it off/,
    [`${outside.url}/long`]: /^its server answered 206/,
    [`${outside.url}/packed`]: /^its server sends it compressed/,
    [`${outside.url}/page`]: /^this is an HTML page; send JPEG/,
    [`${outside.url}/empty`]: /^it is empty/,
    [`${outside.url}/nothing`]: /^its server answered 404/,
    'http://127.0.0.2:9/': /^its server takes no connections/,
  }
  const begun = new Map<string, string>()
  const right = [`${at('outside.test')}/redirects?left=4`, `${at('once.test')}/photo.jpg`]
  for (const url of [...Object.keys(wrong), ...right]) {
    const { status, body } = await api.post('/images/import', { url })
    expect(status, url).toBe(202)
    begun.set(url, body.image_id)
  }
  const progressOf = async (url: string) => (await api.get(`/images/${begun.get(url)}/progress`)).body
  for (const url of begun.keys())
    await expect.poll(async () => (await progressOf(url)).status, { timeout: 60_000 }).not.toBe('processing')
  for (const [url, told] of Object.entries(wrong)) expect((await progressOf(url)).reason, url).toMatch(told)
  for (const url of right) expect((await progressOf(url)).status, url).toBe('complete')
  expect(inside.asked).toEqual([])
  // A little is on its way when it is cut off.
  expect(sent / MIB).toBeLessThan(130)

  // What has failed is told of until it is deleted, and then nothing of it is left.
  for (const url of Object.keys(wrong))
    expect((await api.delete(`/images/${begun.get(url)}`)).status).toBe(204)
  expect(await sql`select from imports`).toHaveLength(0)
  expect(objectsOnDisk(dataDir).filter((file) => !file.includes('/media/'))).toEqual([])
})

test('switched off, nothing is imported', async () => {
  const { api } = await composeForTest({ env: { MARQUEE_IMPORT: 'off' } })
  const { status, body } = await api.post('/videos/import', { url: 'https://example.com/a.mp4' })
  expect([status, body.details]).toEqual([403, 'imports are switched off here; upload the file'])
})
