import { createPrivateKey, sign as signBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { local, uploaderOf } from '../support/media.ts'
import { inSeconds } from '../support/playback.ts'
import { smallJpeg } from '../support/posts.ts'

test('no token that was made to be misread opens private media, or brings the service down', async () => {
  const { api, seed } = await composeForTest()
  const image = (await uploaderOf(api).upload(await smallJpeg())).body
  const path: string = `/images/${image.id}`
  expect((await api.patch(path, { visibility: 'private' })).status).toBe(200)
  const keys: string = `/organizations/${seed.org_id}/signing-keys/v1`
  const made = (await api.post(keys, { project_id: seed.project_id, name: 'App' })).body.signing_key
  const privateKey = createPrivateKey(made.private_key)
  const encoded = (part: unknown) =>
    Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
  /** Signed as it should be, whatever it says. */
  function token(claims: unknown, header: object = {}): string {
    const text = `${encoded({ alg: 'EdDSA', kid: made.id, ...header })}.${encoded(claims)}`
    return `${text}.${signBytes(null, Buffer.from(text), privateKey).toString('base64url')}`
  }
  const status = async (query: string) => {
    const response = await fetch(`${local(image.file.url)}?${query}`)
    await response.arrayBuffer()
    return response.status
  }
  const right = { sub: image.id, exp: inSeconds(600) }
  expect(await status(`token=${token(right)}`)).toBe(200)

  const { exp } = right
  const claims: Record<string, unknown> = {
    'that is no object': [right],
    'that is null': null,
    'that is no JSON': '{"sub":',
    'that is empty': '',
    'with an end that is text': { ...right, exp: String(exp) },
    'with an end that is no number': `{"sub":"${image.id}","exp":NaN}`,
    'with an end beyond all numbers, before its time': `{"sub":"${image.id}","exp":1e400,"nbf":9e15}`,
    'with an end before the first second': { ...right, exp: -1 },
    'for several': { ...right, sub: [image.id] },
    'for an object': { ...right, sub: { id: image.id } },
    'for what begins alike': { ...right, sub: `${image.id}x` },
    'for what ends with NUL': { ...right, sub: `${image.id}\0` },
    'for all by a pattern': { ...right, sub: '%' },
    'for nobody, by a prototype': `{"__proto__":{"sub":"${image.id}"},"exp":${exp}}`,
    'for several projects': { ...right, aud: [seed.project_id] },
    'with a beginning that is text': { ...right, nbf: 'now' },
    'with a height that is text': { ...right, max_height: '720' },
    'with a height of nothing': { ...right, max_height: 0 },
    'with a height that is no whole number': { ...right, max_height: 1.5 },
    'for pages that are no list': { ...right, origins: 'https://app.example.com' },
    'for pages that are no text': { ...right, origins: [{}] },
    'for no page at all': { ...right, origins: [] },
  }
  for (const [name, said] of Object.entries(claims))
    expect(await status(`token=${token(said)}`), name).toBe(403)
  const headers: Record<string, object> = {
    'a key of its own': { kid: undefined, jwk: { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' } },
    'a key elsewhere': { kid: undefined, jku: 'http://127.0.0.1/keys' },
    'a key that is a file': { kid: '../../../../dev/null' },
    'a key by a statement': { kid: "' or true --" },
    'a key that is none': { kid: 17 },
    'a prototype': { kid: '__proto__' },
    'the key of the service': { kid: 'marquee' },
    'what has to be understood': { crit: ['exp'] },
    'bytes as they are': { b64: false, crit: ['b64'] },
    'another algorithm': { alg: 'HS256' },
    'several algorithms': { alg: ['EdDSA'] },
    'no algorithm': { alg: 'none' },
  }
  for (const [name, header] of Object.entries(headers))
    expect(await status(`token=${token(right, header)}`), name).toBe(403)
  const deep = `{"sub":${'['.repeat(900)}${']'.repeat(900)},"exp":${exp}}`
  for (const shown of [
    '',
    '.',
    '..',
    '...',
    '%00',
    '%F0%28%8C%28',
    'a'.repeat(8000),
    token(deep),
    `${token(right)}.x`,
  ])
    expect([400, 403], shown.slice(0, 40)).toContain(await status(`token=${shown}`))
  // One of two that is right is not a token.
  expect(await status(`token=x&token=${token(right)}`)).toBe(400)
  expect(await status(`token[]=${token(right)}`)).toBeGreaterThanOrEqual(400)
  expect(await status(`token=${token(right)}`)).toBe(200)

  for (const asked of [
    ...[
      { ttl: 0 },
      { ttl: -1 },
      { ttl: 1e9 },
      { ttl: '60' },
      { ttl: 1.5 },
      { viewer: '' },
      { viewer: 'a\0' },
    ],
    ...[
      { viewer: 'a'.repeat(201) },
      { origins: [] },
      { origins: ['*'] },
      { origins: ['javascript:alert(1)'] },
    ],
    ...[{ origins: ['https://a.example/path'] }, { origins: Array(21).fill('https://a.example') }],
  ])
    expect((await api.post(`${path}/playback-token`, asked)).status, JSON.stringify(asked)).toBe(400)
})
