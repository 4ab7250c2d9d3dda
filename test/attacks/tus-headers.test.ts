import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { sha1, tusAt } from '../support/tus.ts'

const NO_NUMBERS = [
  '-1',
  '+5',
  '1.5',
  '1e3',
  '0x10',
  'NaN',
  'Infinity',
  '',
  '1,1',
  '1 2',
  '１２',
  'null',
  '{}',
]
/** Larger than any number that is exact. */
const TOO_LARGE = ['9007199254740992', '99999999999999999999', '18446744073709551616']

test('no header of tus brings the service down, or leaves anything behind', async () => {
  const { api, sql } = await composeForTest()
  const { init, complete } = uploaderOf(api)
  const { body: begun } = await init()
  const tus = tusAt(begun.presigned_url)
  const photo = await scene(64, 40).jpeg().toBuffer()
  const said = (value: string) => Buffer.from(value).toString('latin1')

  for (const value of [...NO_NUMBERS, ...TOO_LARGE].map(said)) {
    expect((await tus.ask('POST', { 'upload-length': value })).status, `Upload-Length: ${value}`).toBe(400)
    expect((await tus.send(0, photo, { 'upload-offset': value })).status, `Upload-Offset: ${value}`).toBe(400)
    expect((await tus.send(0, photo, { 'upload-length': value })).status, `Upload-Length: ${value}`).toBe(400)
  }
  expect((await tus.ask('POST', { 'upload-defer-length': '1' })).status).toBe(400)
  for (const length of [100 * 2 ** 20 + 1, Number.MAX_SAFE_INTEGER])
    expect((await tus.create(length)).status, String(length)).toBe(413)
  expect((await tus.send(Number.MAX_SAFE_INTEGER, photo)).status).toBe(413)
  expect((await tus.send(1, photo)).status).toBe(409)

  const digest = sha1(photo)
  for (const kind of ['', 'crc32', 'SHA1', 'sha512', 'constructor', '__proto__', '../sha1', `sha1,${digest}`])
    expect((await tus.send(0, photo, { 'upload-checksum': `${kind} ${digest}` })).status, kind).toBe(400)
  for (const wrong of ['', '!!!!', 'AAAA', digest.slice(0, 8), digest.toLowerCase()])
    expect((await tus.send(0, photo, { 'upload-checksum': `sha1 ${wrong}` })).status, wrong).toBe(460)
  expect(await tus.offset()).toBe(0)

  // What is said of the file counts for nothing: init was told its name.
  const metadata = [
    'filename AAAA',
    `filename ${btoa('../../etc/passwd')}`,
    'a,a,a,,',
    '=',
    `x ${'A'.repeat(4000)}`,
  ]
  for (const value of metadata)
    expect((await tus.ask('POST', { 'upload-length': '10', 'upload-metadata': value })).status, value).toBe(
      201,
    )
  for (const line of [
    'Upload-Metadata: filename \0',
    'Upload-Length: 1\0',
    'Upload-Offset: 0\r\nUpload-Offset: 5',
  ])
    expect(await statusOf(tus.url, line), JSON.stringify(line)).toBe(400)

  expect((await tus.create(photo.length)).status).toBe(201)
  expect((await tus.send(0, photo, { 'upload-checksum': `sha1 ${digest}` })).status).toBe(204)
  const made = await complete(begun.image_id)
  expect(made.body.file).toMatchObject({ name: 'photo.jpg', status: 'ready' })
  expect(await sql`select from resumable_uploads`).toHaveLength(0)
})

/** What is answered to a PATCH with a line that no client's library would send. */
function statusOf(address: string, line: string): Promise<number> {
  const { hostname, port, host, pathname, search } = new URL(address)
  const socket = connect(Number(port), hostname)
  const head = `PATCH ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\ntus-resumable: 1.0.0\r\n`
  const type = 'content-type: application/offset+octet-stream\r\ncontent-length: 0\r\nconnection: close\r\n'
  socket.write(`${head}${type}${line}\r\n\r\n`)
  return new Promise((resolve, reject) => {
    let answer = ''
    socket.on('data', (part) => {
      answer += part
    })
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])))
    socket.on('error', reject)
  })
}
