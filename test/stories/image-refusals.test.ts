import { expect, test } from 'vitest'
import { pixelBomb, scene } from '../fixtures/images.ts'
import { bearer, key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { local, objectsOnDisk, uploaderOf } from '../support/media.ts'
import { addTenant } from '../support/world.ts'

const jpeg = () => scene(640, 400).jpeg().toBuffer()

test('the rows of the error table', async () => {
  const { api, seed } = await composeForTest()
  const unknown = 'img_00000000000000000000000000'
  const says = async (answer: Promise<{ body: { code: number; error: string } }>) => {
    const { code, error } = (await answer).body
    return `${code} ${error}`
  }
  const nobody = api.as(key('mq_sk_nonsense'))
  const reader = api.as(key(seed.publishable_key))
  expect(await says(api.post('/images/upload/complete', {}))).toBe('400 Invalid request body')
  expect(await says(api.post('/images/upload/complete', { image_id: 'x' }))).toBe('400 Invalid request body')
  expect(await says(nobody.post('/images/upload/complete', {}))).toBe('401 Unauthorized - Invalid API key')
  expect(await says(reader.post('/images/upload/complete', { image_id: unknown }))).toBe('403 Access denied')
  expect(await says(api.post('/images/upload/complete', { image_id: unknown }))).toBe('404 File not found')
  expect(await says(api.get('/images/x'))).toBe('400 Invalid image ID')
  expect(await says(nobody.get(`/images/${unknown}`))).toBe('401 Unauthorized')
  expect(await says(reader.get(`/images/${unknown}`))).toBe('403 Forbidden')
  expect(await says(api.get(`/images/${unknown}`))).toBe('404 Image not found')
  expect(await says(api.delete('/images/x'))).toBe('400 Invalid project ID or image ID')
  expect(await says(api.delete(`/images/${unknown}`, { 'x-project-id': 'x' }))).toBe(
    '400 Invalid project ID or image ID',
  )
  expect(await says(nobody.delete(`/images/${unknown}`))).toBe('401 Unauthorized')
  expect(await says(reader.delete(`/images/${unknown}`))).toBe('403 Access denied')
  expect(await says(api.delete(`/images/${unknown}`))).toBe('404 Image not found')
  expect(await says(api.get('/images?limit=0'))).toBe('400 Bad Request')
  expect(await says(api.post('/images/upload/init', {}))).toBe('400 Bad Request')
  expect(await says(api.post('/images/upload/init', { file_name: 'x', image_format: 'gif' }))).toBe(
    '400 Bad Request',
  )
})

test('tenants never see each other', async () => {
  const service = await composeForTest()
  const { body: mine } = await uploaderOf(service.api).upload(await jpeg())
  const other = await addTenant(service, 'other')
  for (const theirs of [service.api.as(key(other.secretKey)), service.api.as(bearer(other.ownerToken))]) {
    expect((await theirs.get(`/images/${mine.id}`)).body).toEqual({ code: 404, error: 'Image not found' })
    expect((await theirs.delete(`/images/${mine.id}`)).status).toBe(404)
    expect((await theirs.post('/images/upload/complete', { image_id: mine.id })).status).toBe(404)
    expect((await theirs.get('/images')).body.data).toEqual([])
  }
  expect((await fetch(local(mine.file.url).replace(mine.file.project_id, other.projectId))).status).toBe(404)
  expect((await service.api.get(`/images/${mine.id}`)).status).toBe(200)
})

test.each([
  '../../x',
  'a\u0000b.jpg',
  'x'.repeat(300),
  '\u202egpj.exe',
  '🎞️ film.jpg',
  'C:\\x',
  '/etc/passwd',
  '.',
  ' ',
])('the name %j is kept as a name and touches no path', async (name) => {
  const { api, dataDir } = await composeForTest()
  const { body } = await uploaderOf(api).upload(await jpeg(), name)
  expect(body.file.name).toBe(name)
  expect((await api.get(`/images/${body.id}`)).body.file.name).toBe(name)
  for (const file of objectsOnDisk(dataDir))
    expect(file.slice(dataDir.length)).toMatch(
      /^\/objects\/media\/proj_\w{26}\/file_\w{26}\/(original|v\d\.avif)$/,
    )
})

test('a project over its storage gets no new address', async () => {
  const service = await composeForTest({ env: { MARQUEE_STORAGE_CUSTOM: '1KiB' } })
  const { init, upload } = uploaderOf(service.api)
  expect((await upload(await jpeg())).status).toBe(200)
  expect((await init()).body).toEqual({ code: 403, error: 'Storage limit reached' })
})

test.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
  ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /SVG/],
  ['an HTML page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), /HTML/],
  ['a TIFF', () => scene().tiff().toBuffer(), /TIFF/],
  ['a truncated PNG', async () => (await scene().png().toBuffer()).subarray(0, 2000), /cut off|damaged/],
  ['a 144-megapixel bomb', () => pixelBomb(), /144 megapixels/],
  ['nothing', () => Buffer.alloc(0), /empty/],
  [
    'a video',
    () => Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom'), Buffer.alloc(500)]),
    /video/,
  ],
])('%s is refused with words a person understands, and nothing is kept', async (_name, make, words) => {
  const { api, media } = await composeForTest()
  const { send, complete, put, init } = uploaderOf(api)
  const id = await send(await make())
  const refused = await complete(id)
  expect(refused.body).toEqual({
    code: 400,
    error: 'Invalid request body',
    details: expect.stringMatching(words),
  })
  expect(refused.body.details).not.toMatch(/\/|vips|sharp|Error/)
  await expect.poll(media.names).toEqual([])
  expect((await api.get('/project')).body.storage_used).toBe(0)
  expect((await complete(id)).body.error).toBe('File not found')
  // The next one works.
  const begun = await init()
  await put(begun.body.presigned_url, new Uint8Array(await jpeg()))
  expect((await complete(begun.body.image_id)).status).toBe(200)
})

test('a refused file can be followed by a right one at the same address', async () => {
  const { api } = await composeForTest()
  const { init, put, complete } = uploaderOf(api)
  const { body } = await init()
  await put(body.presigned_url, 'not an image')
  expect((await complete(body.image_id)).status).toBe(400)
  await put(body.presigned_url, new Uint8Array(await jpeg()))
  expect((await complete(body.image_id)).status).toBe(200)
})
