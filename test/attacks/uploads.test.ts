import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { composeForTest } from '../support/in-process.ts'
import { local, objectsOnDisk, uploaderOf } from '../support/media.ts'
import { serviceForTest } from '../support/service.ts'

const jpeg = () => scene(320, 200).jpeg().toBuffer()

/** A PUT of which this test says every byte. */
function begin(url: string, headers: Record<string, string | number>) {
  const request = http.request(local(url), { method: 'PUT', headers })
  const answer = new Promise<{ status: number; body: string }>((resolve, reject) => {
    request.once('error', reject)
    request.once('response', (response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode!, body }))
    })
  })
  return { request, answer }
}

test('an address that was changed in any part is refused', async () => {
  const { api, dataDir } = await composeForTest()
  const { init, put } = uploaderOf(api)
  const one = (await init()).body.presigned_url as string
  const two = (await init()).body.presigned_url as string
  const other = new URL(two).pathname.split('/').at(-1)!
  const changed = (change: (url: URL) => void) => {
    const url = new URL(one)
    change(url)
    return url.toString()
  }
  const addresses = [
    changed((url) => url.searchParams.set('expires', '99999999999')),
    changed((url) => url.searchParams.set('max', '999999999999')),
    changed((url) => url.searchParams.set('kind', 'video')),
    changed((url) => url.searchParams.set('signature', new URL(two).searchParams.get('signature')!)),
    changed((url) => url.searchParams.delete('signature')),
    changed((url) => {
      url.search = ''
    }),
    changed((url) => {
      url.pathname = `/upload/${other}`
    }),
  ]
  for (const address of addresses) {
    const refused = await put(address, 'x')
    expect(refused.status, address).toBe(403)
    expect(await refused.json()).toMatchObject({ code: 403, error: 'Forbidden' })
  }
  expect((await put(one.replace(/file_\w+/, 'nonsense'), 'x')).status).toBe(400)
  expect((await fetch(local(one))).status).toBe(405)
  // What is not said to be tus is not taken for it; and tus opens nothing that a PUT does not.
  const tus = { 'tus-resumable': '1.0.0', 'upload-length': '1', 'upload-offset': '0' }
  const type = { 'content-type': 'application/offset+octet-stream' }
  for (const method of ['POST', 'DELETE', 'PATCH']) {
    if (method !== 'DELETE') expect((await fetch(local(one), { method })).status, method).toBe(412)
    for (const address of addresses) {
      const body = method === 'PATCH' ? { body: 'x', headers: { ...tus, ...type } } : { headers: tus }
      expect((await fetch(local(address), { method, ...body })).status, `${method} ${address}`).toBe(403)
    }
  }
  await expect.poll(() => objectsOnDisk(dataDir)).toEqual([])
})

test('who goes away in the middle of a file is told of as no failure of the service', async () => {
  const { api, dataDir, output } = await serviceForTest()
  const { init } = uploaderOf(api)
  const { request, answer } = begin((await init()).body.presigned_url, { 'content-length': 1_000_000 })
  answer.catch(() => {})
  request.write(Buffer.alloc(100_000))
  await expect.poll(() => objectsOnDisk(dataDir).length).toBeGreaterThan(0)
  request.destroy()
  await expect.poll(() => objectsOnDisk(dataDir)).toEqual([])
  // Lines come in the order in which things happened.
  await api.get('/project')
  await expect.poll(output).toContain('"path":"/project"')
  expect(output()).not.toMatch(/"level":[56]0/)
})

test('an expired address is refused, and what it was for is swept', async () => {
  const { api, dataDir, sql } = await composeForTest({
    env: { MARQUEE_UPLOAD_LIFETIME: '5', MARQUEE_SWEEP_INTERVAL: '1' },
  })
  const { init, put, complete } = uploaderOf(api)
  const { body } = await init()
  expect((await put(body.presigned_url, 'some bytes')).status).toBe(200)
  await sleep(5100)
  const refused = await put(body.presigned_url, 'x')
  expect(await refused.json()).toMatchObject({
    code: 403,
    details: expect.stringMatching(/expired|no longer/),
  })
  while ((await sql`select from files`).length + (await sql`select from garbage`).length > 0) await sleep(50)
  expect(await sql`select from images`).toHaveLength(0)
  while (objectsOnDisk(dataDir).length > 0) await sleep(50)
  expect((await complete(body.image_id)).body).toMatchObject({ code: 404, error: 'File not found' })
})

test('too large is refused, declared or not, and nothing of it is kept', async () => {
  const { api, dataDir } = await composeForTest()
  const { init } = uploaderOf(api)
  const limit = 100 * 2 ** 20
  const declared = begin((await init()).body.presigned_url, { 'content-length': limit + 1 })
  declared.request.write('x')
  expect(await declared.answer).toMatchObject({
    status: 413,
    body: expect.stringContaining('"error":"Payload Too Large"'),
  })
  declared.request.destroy()

  const actual = begin((await init()).body.presigned_url, { 'transfer-encoding': 'chunked' })
  const chunk = Buffer.alloc(2 ** 20)
  actual.request.on('error', () => {})
  for (let sent = 0; sent <= limit && !actual.request.destroyed; sent += chunk.length)
    if (!actual.request.write(chunk))
      await Promise.race([new Promise((r) => actual.request.once('drain', r)), actual.answer])
  expect((await actual.answer).status).toBe(413)
  actual.request.destroy()
  await expect.poll(() => objectsOnDisk(dataDir)).toEqual([])
  expect((await uploaderOf(api).upload(await jpeg())).status).toBe(200)
})

test('an upload cut off half-way leaves nothing and can be sent again', async () => {
  const { api, dataDir } = await composeForTest()
  const { init, put, complete } = uploaderOf(api)
  const { body } = await init()
  const cut = begin(body.presigned_url, { 'content-length': 1_000_000 })
  cut.answer.catch(() => {})
  cut.request.write(Buffer.alloc(300_000))
  while (objectsOnDisk(dataDir).length === 0) await sleep(10)
  cut.request.destroy()
  while (objectsOnDisk(dataDir).length > 0) await sleep(10)
  expect((await complete(body.image_id)).body.error).toBe('File not found')
  await put(body.presigned_url, new Uint8Array(await jpeg()))
  expect((await complete(body.image_id)).status).toBe(200)
})

test('a client that falls silent is let go', async () => {
  const { api, dataDir } = await composeForTest({ env: { MARQUEE_REQUEST_TIMEOUT: '1' } })
  const { body } = await uploaderOf(api).init()
  const silent = begin(body.presigned_url, { 'content-length': 1_000_000 })
  silent.request.write(Buffer.alloc(1000))
  await expect(silent.answer).rejects.toThrow()
  while (objectsOnDisk(dataDir).length > 0) await sleep(10)
})

test('what is complete cannot be changed by its old address', async () => {
  const { api, dataDir } = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const { init, put, complete } = uploaderOf(api)
  const { body } = await init()
  await put(body.presigned_url, new Uint8Array(await jpeg()))
  // One that began before the completion and ends after it.
  const late = begin(body.presigned_url, { 'content-length': 2000 })
  late.request.write(Buffer.alloc(1000))
  while (objectsOnDisk(dataDir).length < 2) await sleep(10)
  const made = await complete(body.image_id)
  const before = Buffer.from(await (await fetch(local(made.body.file.url))).arrayBuffer())
  late.request.end(Buffer.alloc(1000))
  expect((await late.answer).status).toBe(409)
  const again = await put(body.presigned_url, 'other bytes')
  expect(await again.json()).toEqual({ code: 409, error: 'Conflict', details: 'the upload is complete' })
  const after = Buffer.from(await (await fetch(local(made.body.file.url))).arrayBuffer())
  expect(after.equals(before)).toBe(true)
  await expect.poll(() => objectsOnDisk(dataDir)).toHaveLength(2)
})

test('HEAD tells what arrived, OPTIONS lets a page upload', async () => {
  const { api } = await composeForTest()
  const { init, put } = uploaderOf(api)
  const { body } = await init()
  const url = local(body.presigned_url)
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(404)
  await put(url, 'twelve bytes')
  const head = await fetch(url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '12'])
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT')
})
