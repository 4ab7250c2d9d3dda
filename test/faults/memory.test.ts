import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { local, uploaderOf } from '../support/media.ts'
import { serviceForTest } from '../support/service.ts'

const UPLOADS = 8
const SIZE = 100 * 1000 * 1000

/** The most memory that a process ever held, in bytes. */
function peakMemory(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024
}

test('memory stays flat while eight uploads of 100 MB run', async () => {
  const service = await serviceForTest()
  const { init } = uploaderOf(service.api)
  const file = path.join(service.dataDir, 'large')
  writeFileSync(file, Buffer.alloc(SIZE))
  await Promise.all(Array.from({ length: 4 }, () => service.api.get('/project')))
  const before = peakMemory(service.pid)
  async function uploadAll(): Promise<number> {
    const sent = await Promise.all(
      Array.from({ length: UPLOADS }, async () => {
        const { body } = await init()
        return fetch(local(body.presigned_url), {
          method: 'PUT',
          headers: { 'content-length': String(SIZE) },
          body: Readable.toWeb(createReadStream(file)) as ReadableStream,
          duplex: 'half',
        } as RequestInit)
      }),
    )
    expect(sent.map(({ status }) => status)).toEqual(Array(UPLOADS).fill(200))
    return peakMemory(service.pid)
  }
  const first = await uploadAll()
  // 800 MB went through. Node lets some 64 MB of buffers that it has read into pile up before it frees them.
  expect(first - before).toBeLessThan(160 * 2 ** 20)
  // And nothing stayed: the same once more needs no more.
  expect((await uploadAll()) - first).toBeLessThan(40 * 2 ** 20)
})
