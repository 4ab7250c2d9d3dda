import { readdirSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { clip, formsOf, videoUploaderOf } from '../support/video.ts'

const VTT = 'WEBVTT\n\n00:00.500 --> 00:01.000\nBonjour\n'
const MIB = 2 ** 20

async function world(env: Record<string, string> = {}) {
  const service = await composeForTest({ env: { MARQUEE_ROLES: 'api', ...env } })
  const video = await videoUploaderOf(service.api).upload(await clip())
  const left = () =>
    readdirSync(path.join(service.dataDir, 'work')).filter((name) => name.startsWith('form-'))
  const subtitles = () => service.sql`select name from subtitles`
  return { ...service, base: `/videos/${video.id}`, left, subtitles, forms: formsOf(service) }
}

/** A form of which this test says every byte. */
function begin(url: string, method: string, headers: Record<string, string | number>) {
  const request = http.request(url, {
    method,
    headers: { 'content-type': 'multipart/form-data; boundary=xxx', ...headers },
  })
  const answer = new Promise<{ status: number; body: { error: string; details?: string } }>(
    (resolve, reject) => {
      request.once('error', reject)
      request.once('response', (response) => {
        let body = ''
        response.on('data', (chunk) => {
          body += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode!, body: JSON.parse(body) }))
      })
    },
  )
  answer.catch(() => {})
  return { request, answer }
}

const opening = (field: string, name = 'x.vtt') =>
  `--xxx\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: text/vtt\r\n\r\n`

test('a file over its limit is refused, declared or not, and nothing of it is kept', async () => {
  const { url, seed, base, forms, left, subtitles } = await world()
  const tooMuch = { content: Buffer.alloc(10 * MIB + 1, 'x') }
  for (const answer of [
    await forms.put(`${base}/subtitles/en`, ['file', tooMuch]),
    await forms.post(
      `${base}/subtitles`,
      ['files', { content: VTT }],
      ['files', tooMuch],
      ['language_codes', 'fr,en'],
      ['labels', 'x,y'],
    ),
  ])
    expect(answer.body).toEqual({
      code: 413,
      error: 'Payload Too Large',
      details: 'at most 10485760 bytes are taken for each file',
    })
  const picture = { content: Buffer.alloc(5 * MIB + 1) }
  expect((await forms.put(`${base}/thumbnail`, ['thumbnail', picture])).status).toBe(413)

  const declared = begin(`${url + base}/audio-tracks/en`, 'PUT', {
    ...key(seed.api_key),
    'content-length': 502 * MIB,
  })
  declared.request.write(opening('file'))
  expect((await declared.answer).status).toBe(413)
  declared.request.destroy()

  // Endless, and never said how long it will be.
  const endless = begin(`${url + base}/subtitles/en`, 'PUT', key(seed.api_key))
  endless.request.on('error', () => {})
  endless.request.write(opening('file'))
  let answered = false
  endless.answer.finally(() => {
    answered = true
  })
  while (!answered) {
    endless.request.write(Buffer.alloc(MIB, 'x'))
    await sleep(1)
  }
  expect((await endless.answer).status).toBe(413)
  endless.request.destroy()
  expect(left()).toEqual([])
  expect(await subtitles()).toHaveLength(0)
  const largest = { content: Buffer.from(VTT.padEnd(10 * MIB, '\n')) }
  expect((await forms.put(`${base}/subtitles/en`, ['file', largest])).status).toBe(200)
})

test('too many files, fields, or too much text', async () => {
  const { base, forms, left } = await world()
  const file: [string, { content: string }] = ['files', { content: VTT }]
  const text: [string, string] = ['labels', 'x']
  const tries: [string, string | { content: string }][][] = [
    Array.from({ length: 101 }, () => file),
    Array.from({ length: 21 }, () => text),
    [file, ['labels', 'x'.repeat(65 * 1024)]],
  ]
  for (const parts of tries) expect((await forms.post(`${base}/subtitles`, ...parts)).status).toBe(413)
  expect(left()).toEqual([])
})

test('whoever may not is refused before a byte of the form is read', async () => {
  const { url, seed, base, left } = await world()
  const unknown = '/videos/vid_00000000000000000000000000'
  const refused: [string, string, Record<string, string>, number][] = [
    ['PUT', `${base}/subtitles/en`, {}, 401],
    ['PUT', `${base}/subtitles/en`, key(seed.publishable_key), 403],
    ['POST', `${base}/subtitles`, key(seed.publishable_key), 403],
    ['PUT', `${base}/audio-tracks/en`, key(seed.publishable_key), 403],
    ['POST', `${base}/audio-tracks`, key(seed.publishable_key), 403],
    ['PUT', `${base}/thumbnail`, key(seed.publishable_key), 403],
    ['POST', `${unknown}/audio-tracks`, key(seed.api_key), 404],
    ['PUT', `${base}/audio-tracks/english`, key(seed.api_key), 400],
  ]
  for (const [method, address, credential, status] of refused) {
    const { request, answer } = begin(url + address, method, { ...credential, 'content-length': 1_000_000 })
    request.flushHeaders()
    expect((await answer).status, `${method} ${address}`).toBe(status)
    request.destroy()
  }
  expect(left()).toEqual([])
})

test('one who was refused and goes on sending slowly is let go', async () => {
  const { url, base } = await world({ MARQUEE_REQUEST_TIMEOUT: '1' })
  const { request, answer } = begin(`${url + base}/subtitles/en`, 'PUT', { 'content-length': 1_000_000 })
  const closed = new Promise((resolve) => request.once('close', resolve))
  request.on('error', () => {})
  request.write('x')
  expect((await answer).status).toBe(401)
  const drip = setInterval(() => request.write('x'), 100)
  await closed
  clearInterval(drip)
})

test('a form cut off half-way leaves nothing, and so does a client that falls silent', async () => {
  const { url, seed, base, left, subtitles, forms } = await world({ MARQUEE_REQUEST_TIMEOUT: '1' })
  for (const isSilent of [false, true]) {
    const { request, answer } = begin(`${url + base}/subtitles/en`, 'PUT', {
      ...key(seed.api_key),
      'content-length': 1_000_000,
    })
    request.write(opening('file') + VTT)
    while (left().length === 0) await sleep(10)
    if (!isSilent) request.destroy()
    await expect(answer).rejects.toThrow()
    while (left().length > 0) await sleep(10)
  }
  // One that takes its time, but says something now and then.
  const { request, answer } = begin(`${url + base}/subtitles/en`, 'PUT', key(seed.api_key))
  for (const piece of [opening('file'), VTT.slice(0, 10), VTT.slice(10), '\r\n--xxx', '--\r\n']) {
    request.write(piece)
    await sleep(500)
  }
  request.end()
  expect((await answer).status).toBe(200)
  expect(await subtitles()).toHaveLength(1)
  expect(left()).toEqual([])
  expect((await forms.put(`${base}/subtitles/fr`, ['file', { content: VTT }])).status).toBe(200)
})

const BROKEN: Record<string, string> = {
  nothing: '',
  'no end': opening('file') + VTT,
  'another boundary': `--yyy\r\n\r\n${VTT}\r\n--yyy--\r\n`,
  'no headers': `--xxx\r\n\r\n${VTT}\r\n--xxx--\r\n`,
  noise: '\u0000\u0001\u0002'.repeat(1000),
  'a field named __proto__': `${opening('__proto__')}${VTT}\r\n--xxx--\r\n`,
  'a field named constructor': `${opening('constructor')}${VTT}\r\n--xxx--\r\n`,
  'a field without a name': '--xxx\r\nContent-Disposition: form-data\r\n\r\nx\r\n--xxx--\r\n',
  'JSON that is none':
    '--xxx\r\nContent-Disposition: form-data; name="label"\r\nContent-Type: application/json\r\n\r\n{\r\n--xxx--\r\n',
}

test('a broken form is refused with a reason', async () => {
  const { url, seed, base, left } = await world()
  for (const [name, body] of Object.entries(BROKEN)) {
    const { request, answer } = begin(`${url + base}/subtitles/en`, 'PUT', key(seed.api_key))
    request.end(body)
    const { status, body: refused } = await answer
    expect([status, refused], name).toEqual([
      400,
      { code: 400, error: 'Bad Request', details: expect.stringMatching(/form|file/) },
    ])
  }
  expect(left()).toEqual([])
})

test('a form without a boundary, and what is no form', async () => {
  const { url, seed, base } = await world()
  const types: [string, number][] = [
    ['multipart/form-data', 400],
    ['application/json', 415],
    ['text/plain', 415],
    ['nonsense', 415],
  ]
  for (const [type, status] of types) {
    const { request, answer } = begin(`${url + base}/subtitles/en`, 'PUT', {
      ...key(seed.api_key),
      'content-type': type,
    })
    request.end('{}')
    expect((await answer).status, type).toBe(status)
  }
})

const NAMES = [
  '🎞️ film.srt',
  'a"b.srt',
  `${'x'.repeat(300)}.vtt`,
  '\u202egpj.exe.vtt',
  '..vtt',
  ' .vtt',
  '../../x.vtt',
  'C:\\x.VTT',
  '/etc/passwd.srt',
]

test('a name is kept as a name and touches no path', async () => {
  const { base, forms, left } = await world()
  for (const name of NAMES) {
    const { body } = await forms.put(`${base}/subtitles/en`, ['file', { name, content: VTT }])
    // Browsers write a quote in a name as %22, and nobody turns it back.
    expect([name, name.replaceAll('"', '%22')]).toContain(body.name)
  }
  expect(left()).toEqual([])
})

test('a second file in a form that takes one is refused, and nothing is changed', async () => {
  const { base, forms, left, subtitles } = await world()
  const one = { content: VTT, name: 'a.vtt' }
  for (const field of ['file', 'another'])
    expect((await forms.put(`${base}/subtitles/en`, ['file', one], [field, one])).body).toEqual({
      code: 400,
      error: 'Bad Request',
      details: 'the form takes one file, and has more',
    })
  expect(await forms.put(`${base}/thumbnail`, ['thumbnail', one], ['thumbnail', one])).toMatchObject({
    status: 400,
    body: { details: 'the form takes one file, and has more' },
  })
  expect(await forms.put(`${base}/subtitles/en`, ['file', one], ['video_id', 'vid_x'])).toMatchObject({
    status: 400,
    body: { details: 'body.video_id: differs from the path' },
  })
  expect(left()).toEqual([])
  expect(await subtitles()).toEqual([])
  expect((await forms.put(`${base}/subtitles/en`, ['file', one])).status).toBe(200)
})
