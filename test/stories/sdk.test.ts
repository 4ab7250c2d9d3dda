import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'

const packageFolder = path.resolve(import.meta.dirname, '../../packages/client')
const { version } = JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8'))
const built = (name: string) => readFileSync(path.join(packageFolder, 'dist', name), 'utf8')

test('a page loads the client from the service: a version for ever, the current one for minutes', async () => {
  const { url } = await composeForTest({ env: { MARQUEE_CORS_ORIGINS: 'https://app.example.com' } })
  const get = (address: string, headers = {}) =>
    fetch(`${url}/sdk/client/${address}`, { headers: { origin: 'https://elsewhere.example', ...headers } })

  // Not before it is known to be what it always was.
  const forEver = async () => (await get(`${version}/index.js`)).headers.get('cache-control')
  await expect.poll(forEver).toBe('public, max-age=31536000, immutable')
  const fixed = await get(`${version}/index.js`)
  expect(await fixed.text()).toBe(built('index.js'))
  expect(fixed.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(fixed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(fixed.headers.get('access-control-allow-origin')).toBe('*')
  expect(fixed.headers.get('cross-origin-resource-policy')).toBe('cross-origin')

  const current = await get('index.js')
  expect(await current.text()).toBe(built('index.js'))
  expect(current.headers.get('cache-control')).toMatch(/^public, max-age=300\b/)
  expect(current.headers.get('etag')).toBe(fixed.headers.get('etag'))
  const again = await get('index.js', { 'if-none-match': current.headers.get('etag')! })
  expect([again.status, await again.text()]).toEqual([304, ''])

  const types = await get('index.d.ts')
  expect(types.headers.get('content-type')).toBe('application/typescript; charset=utf-8')
  // What the types refer to is beside them.
  const besides = [...(await types.text()).matchAll(/from "\.\/([\w-]+)\.js"/g)].map(([, name]) => name)
  expect(besides).toContain('api-types')
  for (const name of besides) expect((await get(`${version}/${name}.d.ts`)).status, name).toBe(200)
})

test('it is packed for those who take that, and HEAD tells the same without the bytes', async () => {
  const { url } = await composeForTest()
  const load = (method: string, encoding: string) =>
    fetch(`${url}/sdk/client/index.js`, { method, headers: { 'accept-encoding': encoding } })
  const packed = await load('GET', 'gzip')
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(packed.headers.get('vary')).toContain('Accept-Encoding')
  expect(await packed.text()).toBe(built('index.js'))
  for (const encoding of ['identity', 'br, gzip;q=0']) {
    const plain = await load('GET', encoding)
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.headers.get('etag')).not.toBe(packed.headers.get('etag'))
  }
  const head = await load('HEAD', 'gzip')
  for (const name of ['etag', 'content-length', 'content-type', 'content-encoding', 'cache-control'])
    expect(head.headers.get(name), name).toBe(packed.headers.get(name))
  expect(Number(head.headers.get('content-length'))).toBeLessThanOrEqual(4096)
  const { body } = await ask(url, '/sdk/client/index.js')
  expect(gunzipSync(body).toString()).toBe(built('index.js'))
})

test('each package is there by its name alone, and leads to its main module', async () => {
  const { url } = await composeForTest()
  for (const name of ['client', 'player', 'tracker']) {
    const caching = async () => (await fetch(`${url}/sdk/${version}/${name}.js`)).headers.get('cache-control')
    await expect.poll(caching, { message: name }).toMatch(/immutable/)
    for (const address of [`${name}.js`, `${version}/${name}.js`]) {
      const answer = await fetch(`${url}/sdk/${address}`)
      expect(answer.headers.get('content-type'), address).toBe('text/javascript; charset=utf-8')
      expect(answer.headers.get('cache-control'), address).toMatch(
        address.startsWith(version) ? /immutable/ : /max-age=300\b/,
      )
      const [, main] = /^export \* from '(.+)'$/m.exec(await answer.text())!
      const loaded = await fetch(new URL(main!, answer.url))
      expect(await loaded.text(), address).toBe(
        readFileSync(path.join(packageFolder, `../${name}/dist/index.js`), 'utf8'),
      )
    }
  }
})

test('a version that was there once stays, when the service comes with another one', async () => {
  const { url, dataDir } = await composeForTest({ fresh: true })
  const folder = path.join(dataDir, 'objects/sdk/client')
  await expect.poll(() => existsSync(path.join(folder, `${version}.json`))).toBe(true)
  const kept = JSON.parse(readFileSync(path.join(folder, `${version}.json`), 'utf8'))
  expect(kept.files['index.js']).toBe(built('index.js'))
  // As the service has left it when its packages had this number.
  kept.version = '0.0.9'
  kept.files['index.js'] = '// as it was then'
  writeFileSync(path.join(folder, '0.0.9.json'), JSON.stringify(kept))

  const get = (address: string) => fetch(`${url}/sdk/${address}`, { headers: { 'accept-encoding': 'gzip' } })
  const old = await get('client/0.0.9/index.js')
  expect([old.status, await old.text()]).toEqual([200, '// as it was then'])
  const same = await get(`client/${version}/index.js`)
  for (const name of ['content-type', 'content-encoding', 'access-control-allow-origin', 'vary'])
    expect(old.headers.get(name), name).toBe(same.headers.get(name))
  expect(old.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const again = await fetch(old.url, { headers: { 'if-none-match': old.headers.get('etag')! } })
  expect(again.status).toBe(304)
  expect(await (await get('0.0.9/client.js')).text()).toBe("export * from '../client/0.0.9/index.js'\n")
  expect((await get('client/0.0.9/index.d.ts')).headers.get('content-type')).toContain('typescript')
  for (const address of [
    'client/0.0.9/nothing.js',
    'client/0.0.8/index.js',
    'player/0.0.9/index.js',
    '0.0.8/client.js',
  ])
    expect((await get(address)).status, address).toBe(404)
})

/** As it is on the wire, by an address that nobody has tidied up. */
function ask(url: string, address: string): Promise<{ status: number; body: Buffer }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path: address, headers: { 'accept-encoding': 'gzip' } }
    const request = http.get(options, async (response) =>
      resolve({ status: response.statusCode!, body: Buffer.concat(await response.toArray()) }),
    )
    request.on('error', reject)
  })
}

test('nothing else is there', async () => {
  const { url, api } = await composeForTest()
  for (const address of [
    'client',
    'client/',
    'client/9.9.9/index.js',
    `client/${version}/nothing.js`,
    'client/../0.1.0/index.js',
    'client/0.1.0-../index.js',
    'client/0.1.0.json',
    '0.1.0/client.json',
    'client/package.json',
    'client/.built',
    'client/src/index.ts',
    'client/../../package.json',
    'client/..%2f..%2fpackage.json',
    'client/%2e%2e/client/index.js',
    '..%2f..%2f..%2fetc%2fpasswd',
    'nothing/index.js',
  ])
    expect((await ask(url, `/sdk/${address}`)).status, address).toBe(404)
  expect((await api.post('/sdk/client/index.js', {})).status).toBe(405)
})
