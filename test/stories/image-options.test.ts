import sharp from 'sharp'
import { expect, test } from 'vitest'
import { signAddress, signedSrcset, sizeUrl, srcset } from '../../packages/client/src/pictures.ts'
import { photoWithPrivateData, scene } from '../fixtures/images.ts'
import { composeForTest } from '../support/in-process.ts'
import { local, uploaderOf } from '../support/media.ts'
import { clip, made, videoUploaderOf } from '../support/video.ts'

async function get(address: string, headers: Record<string, string> = {}) {
  const answer = await fetch(local(address), { headers })
  const data = Buffer.from(await answer.arrayBuffer())
  const type = answer.headers.get('content-type')!
  return {
    status: answer.status,
    type,
    data,
    error: type.includes('json') ? JSON.parse(data.toString()) : {},
  }
}
const sidesOf = async (address: string) => {
  const { width, height } = await sharp((await get(address)).data).metadata()
  return [width, height]
}
/** A dark picture with a bright field at its right. */
const lopsided = () =>
  sharp({ create: { width: 300, height: 100, channels: 3, background: '#101010' } })
    .composite([
      {
        input: { create: { width: 60, height: 100, channels: 3, background: '#f0f0f0' } },
        left: 240,
        top: 0,
      },
    ])
    .png()
    .toBuffer()
const brightness = async (address: string) =>
  Math.round(
    (
      await sharp((await get(address)).data)
        .greyscale()
        .stats()
    ).channels[0]!.mean,
  )

test('an address asks for what is done to an image, and what contradicts itself is refused', async () => {
  const { api } = await composeForTest()
  const { body: image } = await uploaderOf(api).upload(await lopsided())
  const { url } = image.file
  expect(await sidesOf(`${url}?w=50&dpr=2`)).toEqual([100, 33])
  expect(await sidesOf(`${url}?w=80&h=90&fit=fill`)).toEqual([80, 90])
  expect(await sidesOf(`${url}?rotate=90`)).toEqual([100, 300])
  const cut = '?w=60&h=60&fit=cover&format=png'
  expect(await brightness(url + cut)).toBeLessThan(40)
  expect(await brightness(`${url}${cut}&gravity=east`)).toBeGreaterThan(100)
  expect(await brightness(`${url}${cut}&gravity=0.95,0.5`)).toBeGreaterThan(100)

  // The focal point is the image's own: every address that says nothing else keeps it in view.
  const focal_point = { x: 0.9, y: 0.5 }
  expect((await api.patch(`/images/${image.id}`, { focal_point })).body.focal_point).toEqual(focal_point)
  expect(await brightness(url + cut)).toBeGreaterThan(100)
  expect(await brightness(`${url}${cut}&gravity=west`)).toBeLessThan(40)
  expect((await api.patch(`/images/${image.id}`, { focal_point: null })).body.focal_point).toBeUndefined()
  expect(await brightness(url + cut)).toBeLessThan(40)
  expect((await api.patch(`/images/${image.id}`, { focal_point: { x: 2, y: 0 } })).status).toBe(400)

  for (const [query, told] of [
    ['gravity=north', 'query.gravity: needs fit=cover'],
    ['w=9&h=9&fit=cover&gravity=up', 'query.gravity: must be a side or a corner'],
    ['w=9&h=9&fit=cover&gravity=1.5,0', 'query.gravity'],
    ['dpr=2', 'query.dpr: needs w or h'],
    ['w=9&dpr=9', 'query.dpr'],
    ['rotate=45', 'query.rotate'],
    ['blur=900', 'query.blur'],
    ['background=red', 'query.background: must be six hexadecimal digits'],
    ['trim=0', 'query.trim'],
  ] as const) {
    const { status, error } = await get(`${url}?${query}`)
    expect([status, error.details.startsWith(told)], `${query} ${error.details}`).toEqual([400, true])
  }
})

test('what moves comes in as GIF, WebP or AVIF and goes out moving; what stands still as AVIF; nothing says where it was taken', async () => {
  const { api } = await composeForTest()
  const { upload } = uploaderOf(api)
  const frames = [await scene(64, 40).png().toBuffer(), await scene(64, 40).negate().png().toBuffer()]
  const gif = await sharp(frames, { join: { animated: true } })
    .gif({ delay: [80, 120] })
    .toBuffer()
  const { status, body } = await upload(gif, 'dance.gif')
  expect([status, body.file.format, body.width, body.height]).toEqual([200, 'webp', 64, 40])
  const browser = { accept: 'image/avif,image/webp,image/*,*/*;q=0.8' }
  for (const [query, type, pages] of [
    ['', 'image/webp', 2],
    ['?w=32', 'image/webp', 2],
    ['?w=32&format=gif', 'image/gif', 2],
    ['?w=32&format=avif', 'image/avif', 1],
    ['?w=32&format=jpg', 'image/jpeg', 1],
  ] as const) {
    const answer = await get(body.file.url + query, browser)
    expect([answer.status, answer.type], query).toEqual([200, type])
    const found = await sharp(answer.data, { pages: -1 }).metadata()
    expect([found.pages ?? 1, pages === 2 ? found.delay : undefined], query).toEqual([
      pages,
      pages === 2 ? [80, 120] : undefined,
    ])
  }
  // Red, then half of it green.
  const red = 'color=red:s=64x64:r=10:d=0.5,format=yuv420p'
  const sequence = await made(
    [
      ...['-f', 'lavfi', '-i', `${red},drawbox=w=32:color=lime:t=fill:enable='gte(n,2)'`],
      ...['-vf', "select='eq(n,0)+eq(n,2)'", '-fps_mode', 'passthrough'],
      ...['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8', '-crf', '5'],
    ],
    'avif',
  )
  expect(sequence.toString('latin1', 8, 12)).toBe('avis')
  const dance = await upload(sequence, 'dance.avif')
  expect([dance.status, dance.body.file.format, dance.body.width]).toEqual([200, 'webp', 64])
  for (const [query, type] of [
    ['', 'image/webp'],
    ['?w=32', 'image/webp'],
    ['?w=32&format=gif', 'image/gif'],
  ] as const) {
    const answer = await get(dance.body.file.url + query, browser)
    expect([answer.status, answer.type], query).toEqual([200, type])
    const { pages, delay } = await sharp(answer.data, { pages: -1 }).metadata()
    expect([pages, delay], query).toEqual([2, [200, 200]])
    const [first, second] = await Promise.all(
      [0, 1].map((page) => sharp(answer.data, { page }).removeAlpha().raw().toBuffer()),
    )
    expect([first![0]! > 200, first![1]! < 60]).toEqual([true, true])
    expect([second![0]! < 60, second![1]! > 200]).toEqual([true, true])
  }
  const cut = await upload(sequence.subarray(0, -200), 'cut.avif')
  expect([cut.status, cut.body.details]).toEqual([400, 'the AVIF is cut off or damaged'])
  const still = await upload(await sharp(frames[0]).gif().toBuffer(), 'still.gif')
  expect(still.body.file.format).toBe('avif')

  const secret = await photoWithPrivateData()
  const tagged = await sharp(secret).keepMetadata().avif({ effort: 0 }).toBuffer()
  expect(tagged.includes('Photographer')).toBe(true)
  for (const original of [secret, tagged]) {
    const { file } = (await upload(original)).body
    for (const query of [
      '',
      ...['avif', 'webp', 'jpg', 'png', 'gif'].map((format) => `?w=99&format=${format}`),
    ]) {
      const { status, data } = await get(file.url + query)
      expect(status, query).toBe(200)
      const { exif, xmp, iptc, icc } = await sharp(data).metadata()
      expect([exif, xmp, iptc, icc], query).toEqual([undefined, undefined, undefined, undefined])
      for (const trace of ['Photographer', 'Paris', 'GPS']) expect(data.includes(trace), query).toBe(false)
    }
  }
})

test('what moves goes out without what was written about it', async () => {
  const { api } = await composeForTest()
  const frames = [await scene(64, 40).png().toBuffer(), await scene(64, 40).negate().png().toBuffer()]
  const moving = () => sharp(frames, { join: { animated: true } })
  const webp = await moving()
    .withExif({ IFD0: { Artist: 'Photographer' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Paris</x:xmpmeta>')
    .webp()
    .toBuffer()
  const text = Buffer.from('Photographer, Paris')
  const comment = Buffer.from([0x21, 0xfe, text.length, ...text, 0])
  const plain = await moving().gif().toBuffer()
  const gif = Buffer.concat([plain.subarray(0, -1), comment, plain.subarray(-1)])
  for (const original of [webp, gif]) {
    for (const trace of ['Photographer', 'Paris']) expect(original.includes(trace)).toBe(true)
    const { status, body } = await uploaderOf(api).upload(original)
    expect(status).toBe(200)
    for (const query of ['', ...['webp', 'gif', 'avif', 'jpg'].map((format) => `?w=32&format=${format}`)]) {
      const { status, data } = await get(body.file.url + query, { accept: 'image/webp' })
      expect(status, query).toBe(200)
      const { exif, xmp, comments } = await sharp(data).metadata()
      expect([exif, xmp, comments], query).toEqual([undefined, undefined, undefined])
      for (const trace of ['Photographer', 'Paris']) expect(data.includes(trace), query).toBe(false)
    }
  }
})

test('where sizes have to be signed, only presets, what is signed, and what the service itself shows are made', async () => {
  const { api, seed, url: base } = await composeForTest({ env: { MARQUEE_SIZES: 'signed' } })
  const { body: image } = await uploaderOf(api).upload(await lopsided())
  const { url } = image.file
  const status = async (address: string) => (await get(address)).status

  const options = { w: 40, h: 40, fit: 'cover', gravity: 'east' } as const
  expect((await api.put('/images/presets/card', options)).body).toMatchObject({ name: 'card', options })
  expect((await api.put('/images/presets/odd', { gravity: 'east' })).body.details).toBe(
    'body.gravity: needs fit=cover',
  )
  expect((await api.put('/images/presets/odd', { width: 1 })).status).toBe(400)
  expect((await api.get('/images/presets')).body).toMatchObject({
    data: [{ name: 'card', options }],
    pagination: { total: 1 },
  })
  expect(await sidesOf(`${url}?preset=card`)).toEqual([40, 40])
  expect(await brightness(`${url}?preset=card&format=png`)).toBeGreaterThan(100)
  expect(await sidesOf(`${url}?preset=card&dpr=2`)).toEqual([80, 80])
  expect(await status(`${url}?preset=card&q=3`)).toBe(403)
  expect(await status(`${url}?preset=none`)).toBe(404)

  const wished = sizeUrl(url, { w: 123, format: 'png' })
  const refused = await get(wished)
  expect([refused.status, refused.error.details]).toEqual([
    403,
    'the size is not signed: ask for a preset, or sign the address',
  ])
  expect(await status(`${url}?format=jpg`)).toBe(200)
  const { secret } = (await api.get('/images/signing-secret')).body
  expect((await api.get('/images/signing-secret')).body.secret).toBe(secret)
  const signed = await signAddress(wished, secret)
  expect(await sidesOf(signed)).toEqual([123, 41])
  // Whatever is changed of it makes it worthless; the order of what it says does not count.
  const { body: other } = await uploaderOf(api).upload(await lopsided())
  for (const changed of [
    signed.replace('123', '124'),
    `${signed}&q=5`,
    signed.replace(image.file.id, other.file.id),
    signed.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    await signAddress(wished, 'another secret'),
  ])
    expect(await status(changed), changed).toBe(403)
  const [address, query] = signed.split('?') as [string, string]
  expect(await status(`${address}?${query.split('&').reverse().join('&')}`)).toBe(200)

  expect(srcset(url, [320, 640], { format: 'webp' })).toBe(
    `${url}?format=webp&w=320 320w, ${url}?format=webp&w=640 640w`,
  )
  expect(srcset(url, [1, 2], { preset: 'card' })).toBe(
    `${url}?preset=card&dpr=1 1x, ${url}?preset=card&dpr=2 2x`,
  )
  const set = await signedSrcset(url, [50, 100], { secret, gravity: '0.5,0.5', h: 50, fit: 'cover' })
  for (const [i, entry] of set.split(', ').entries()) {
    const [one, width] = entry.split(' ') as [string, string]
    expect([await sidesOf(one), width]).toEqual([
      [
        [50, 50],
        [100, 50],
      ][i],
      ['50w', '100w'][i],
    ])
  }

  // What pages and sites are given works as it is.
  const { thumbnail_url } = (await api.get('/media')).body.data[0]!
  expect(await status(thumbnail_url)).toBe(200)
  const video = await videoUploaderOf(api).upload(await clip(1))
  // Previews of videos as well, also of those that are private.
  for (const format of ['webp', 'avif']) {
    const preview = `${video.file.url}/preview.${format}?end=0.8&w=64&fps=5&start=0.2`
    expect(await status(preview)).toBe(403)
    const address = await signAddress(preview, secret)
    expect(await get(address)).toMatchObject({ status: 200, type: `image/${format}` })
    expect(await status(address.replace('w=64', 'w=65'))).toBe(403)
  }
  await api.patch(`/videos/${video.id}`, { visibility: 'private' })
  const { token } = (await api.post(`/videos/${video.id}/playback-token`, {})).body
  const hidden = await signAddress(`${video.file.url}/preview.webp?w=64&end=0.8&token=${token}`, secret)
  expect(await status(hidden)).toBe(200)
  expect(await status(hidden.replace(/token=[^&]+&?/, ''))).not.toBe(200)
  await api.patch(`/videos/${video.id}`, { visibility: 'public' })
  const { id: feed } = (await api.post('/feeds', { name: 'news', visibility: 'public' })).body
  const added = await api.post(`/feeds/${feed}/content`, {
    content_ids: [image.id, video.id],
    content_type: 'mixed',
  })
  for (const post of added.body.data) {
    const page = `http://localhost:${new URL(url).port}/embed/${feed}/${post.id}`
    const oembed = await api.get(`/oembed?url=${encodeURIComponent(page)}&maxwidth=77`)
    expect(await status(oembed.body.thumbnail_url)).toBe(200)
  }
  const podcast = await (await fetch(`${base}/feeds/${feed}/podcast`)).text()
  const cover = /itunes:image href="([^"]+)"/.exec(podcast)![1]!.replaceAll('&amp;', '&')
  expect(await status(cover)).toBe(200)

  const next = (await api.post('/images/signing-secret/rotate')).body.secret
  expect(next).not.toBe(secret)
  expect(await status(signed)).toBe(403)
  expect(await status(await signAddress(wished, next))).toBe(200)
  expect((await api.delete('/images/presets/card')).status).toBe(204)
  expect(await status(`${url}?preset=card`)).toBe(404)
  expect((await api.as({ 'x-api-key': seed.publishable_key }).get('/images/signing-secret')).status).toBe(403)
})
