import { readdirSync, statSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { readRange } from '../../server/delivery/byte-range.ts'
import { preferredFormat } from '../../server/delivery/size-query.ts'
import { scene } from '../fixtures/images.ts'
import { similarity } from '../media/similarity.ts'
import { composeForTest } from '../support/in-process.ts'
import { local, uploaderOf } from '../support/media.ts'

async function uploaded(width = 800, height = 500) {
  const service = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const source = await scene(width, height).png().toBuffer()
  const { body } = await uploaderOf(service.api).upload(source)
  const url = local(body.file.url)
  const get = (query = '', headers: Record<string, string> = {}, method = 'GET') =>
    fetch(url + query, { headers, method })
  const whole = Buffer.from(await (await get()).arrayBuffer())
  return { service, source, image: body, url, get, whole }
}

test('right type, validators, caching, and a sandbox for whatever is in it', async () => {
  const { get, whole, image } = await uploaded()
  const { headers, status } = await get()
  expect(status).toBe(200)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'image/avif',
    'content-length': String(image.file.size),
    etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    'last-modified': new Date(Math.floor(Date.parse(image.file.updated_at) / 1000) * 1000).toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': expect.stringMatching(/^public, max-age=\d+/),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'access-control-allow-origin': '*',
    vary: 'Accept',
  })
  expect(whole).toHaveLength(image.file.size)
  const head = await get('', {}, 'HEAD')
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    String(image.file.size),
    '',
  ])
})

test('conditional requests', async () => {
  const { get } = await uploaded()
  const { headers } = await get()
  const [etag, modified] = [headers.get('etag')!, headers.get('last-modified')!]
  const earlier = new Date(Date.parse(modified) - 1000).toUTCString()
  const cases: [Record<string, string>, number][] = [
    [{ 'if-none-match': etag }, 304],
    [{ 'if-none-match': `"other", W/${etag}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"other"' }, 200],
    [{ 'if-modified-since': modified }, 304],
    [{ 'if-modified-since': earlier }, 200],
    [{ 'if-modified-since': 'nonsense' }, 200],
    // The tag decides where both are given.
    [{ 'if-none-match': '"other"', 'if-modified-since': modified }, 200],
    [{ 'if-match': etag }, 200],
    [{ 'if-match': '"other"' }, 412],
    [{ 'if-unmodified-since': earlier }, 412],
  ]
  for (const [given, status] of cases) {
    const answer = await get('', given)
    expect(answer.status, JSON.stringify(given)).toBe(status)
    if (status === 304) expect([await answer.text(), answer.headers.get('etag')]).toEqual(['', etag])
    // Nobody keeps a refusal in the place of the image.
    if (status === 412)
      expect([answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual(['no-store', null])
  }
})

test('ranges', async () => {
  const { get, whole } = await uploaded()
  const size = whole.length
  const etag = (await get()).headers.get('etag')!
  const cases: [string, number, number][] = [
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, size - 1],
    ['bytes=-50', size - 50, size - 1],
    [`bytes=${size - 1}-${size + 500}`, size - 1, size - 1],
    [`bytes=-${size * 2}`, 0, size - 1],
  ]
  for (const [range, start, end] of cases) {
    const part = await get('', { range })
    expect(part.status, range).toBe(206)
    expect(part.headers.get('content-range'), range).toBe(`bytes ${start}-${end}/${size}`)
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(start, end + 1)), range).toBe(true)
  }
  const beyond = await get('', { range: `bytes=${size}-` })
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`])
  expect(await beyond.json()).toEqual({ code: 416, error: 'Range Not Satisfiable' })
  expect((await get('', { range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
  expect((await get('', { range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200)
  expect((await get('', { range: 'lines=0-9' })).status).toBe(200)
})

test('sizes and formats by address', async () => {
  const { get, source } = await uploaded()
  const shape = async (query: string, headers = {}) => {
    const answer = await get(query, headers)
    const bytes = Buffer.from(await answer.arrayBuffer())
    const { width, height, format, compression } = await sharp(bytes).metadata()
    return {
      type: answer.headers.get('content-type'),
      width,
      height,
      format: compression === 'av1' ? 'avif' : format,
      bytes,
    }
  }
  expect(await shape('?w=400')).toMatchObject({ type: 'image/avif', width: 400, height: 250, format: 'avif' })
  expect(await shape('?h=100&format=webp')).toMatchObject({
    type: 'image/webp',
    width: 160,
    height: 100,
    format: 'webp',
  })
  expect(await shape('?w=200&h=200&fit=cover&format=jpg')).toMatchObject({
    type: 'image/jpeg',
    width: 200,
    height: 200,
  })
  expect(await shape('?w=200&h=200&fit=contain&format=png')).toMatchObject({
    type: 'image/png',
    width: 200,
    height: 125,
  })
  expect(await shape('?w=8000')).toMatchObject({ width: 800, height: 500 })
  expect(await shape('?format=auto', { accept: 'image/webp,*/*' })).toMatchObject({ type: 'image/webp' })
  expect(await shape('', { accept: 'image/png' })).toMatchObject({ type: 'image/png', width: 800 })
  const [low, high] = [await shape('?format=jpg&q=10'), await shape('?format=jpg&q=95')]
  expect(low.bytes.length).toBeLessThan(high.bytes.length)
  expect(
    await similarity(
      (await shape('?w=400&format=png')).bytes,
      await sharp(source).resize(400).png().toBuffer(),
    ),
  ).toBeGreaterThan(0.9)
})

test.each([
  'w=0',
  'w=-1',
  'w=8193',
  'w=abc',
  'w=1.5',
  'h=0',
  'q=0',
  'q=101',
  'fit=stretch&w=1&h=1',
  'format=bmp',
  'format=svg',
  'fit=cover',
  'fit=cover&w=10',
  'width=10',
  'w=1&w=2',
])('?%s is nonsense: 400', async (query) => {
  const { get } = await uploaded(64, 40)
  const answer = await get(`?${query}`)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ code: 400, error: 'Bad Request', details: expect.any(String) })
})

test('a size is made once however many ask, kept, and bounded', async () => {
  const service = await composeForTest({ env: { MARQUEE_ROLES: 'api', MARQUEE_SIZES_CACHE: '300KiB' } })
  const { body } = await uploaderOf(service.api).upload(await scene(800, 500).png().toBuffer())
  const url = local(body.file.url)
  const many = await Promise.all(Array.from({ length: 30 }, () => fetch(`${url}?w=300&format=webp`)))
  expect(new Set(many.map((answer) => `${answer.status} ${answer.headers.get('etag')}`)).size).toBe(1)
  await Promise.all(many.map((answer) => answer.arrayBuffer()))
  const cached = () => readdirSync(`${service.dataDir}/cache`)
  expect(cached()).toHaveLength(1)
  let made = 0
  for (let w = 200; w < 260; w += 4)
    made += (await (await fetch(`${url}?w=${w}&format=png`)).arrayBuffer()).byteLength
  const total = cached().reduce((sum, name) => sum + statSync(`${service.dataDir}/cache/${name}`).size, 0)
  expect(made).toBeGreaterThan(2 * 300 * 1024)
  expect(total).toBeLessThanOrEqual(300 * 1024)
  expect(cached().length).toBeGreaterThan(1)
})

test('unknown, foreign and malformed addresses', async () => {
  const { service, image } = await uploaded(64, 40)
  const at = (project: string, file: string) => fetch(`${service.url}/cdn/${project}/${file}`)
  const { project_id, id } = image.file
  expect((await at(project_id, 'file_00000000000000000000000000')).status).toBe(404)
  expect((await at('proj_00000000000000000000000000', id)).status).toBe(404)
  expect((await at('x', id)).status).toBe(400)
  expect((await at(project_id, '..%2f..%2fquickstart.json')).status).toBe(400)
})

describe('reading what clients say', () => {
  test.each([
    [undefined, 'avif'],
    ['*/*', 'avif'],
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'avif'],
    ['image/webp,image/apng,image/*,*/*;q=0.8', 'webp'],
    ['image/png,image/svg+xml,image/*;q=0.8', 'png'],
    ['image/avif;q=0, image/jpeg', 'jpg'],
    ['text/html', 'avif'],
    ['image/avif;q=0.1,image/png;q=1', 'png'],
    ['image/jpeg,image/webp;q=0.5', 'jpg'],
    ['image/jpeg;q=0.5,image/webp;q=0.5', 'webp'],
    ['image/avif;q=nonsense,image/png;q=0.2', 'png'],
  ])('Accept %s wants %s', (accept, format) => expect(preferredFormat(accept)).toBe(format))

  test.each([
    [undefined, 'whole'],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=5-2', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=0-1,3-4', 'whole'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=10-', 'unsatisfiable'],
  ])('Range %s of ten bytes is %j', (header, expected) =>
    expect(readRange(header as string, 10)).toEqual(expected),
  )
})
