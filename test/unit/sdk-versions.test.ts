import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDiskStore } from '../../server/platform/objects/disk.ts'
import { StorageUnavailable } from '../../server/platform/objects/errors.ts'
import type { ObjectStore } from '../../server/platform/objects/port.ts'
import { openVersions } from '../../server/sdk/versions.ts'

const IMMUTABLE = /immutable/

async function emptyStore(): Promise<ObjectStore> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'marquee-versions-'))
  const objects = await openDiskStore(folder)
  onTestFinished(async () => {
    await objects.close()
    await rm(folder, { recursive: true })
  })
  return objects
}

/** The service as it is after a start with this package. */
async function started(objects: ObjectStore, version: string, script: string) {
  const warned: string[] = []
  const versions = openVersions([{ name: 'player', version, files: { 'index.js': script } }], objects)
  versions.keep({ warn: (_, message) => warned.push(message) })
  await versions.close()
  const read = async (address: string) => {
    const { plain, caching } = await versions.find(address)
    return { text: `${plain.body}`, isForEver: IMMUTABLE.test(caching) }
  }
  return { read, warned }
}

test('each version is kept by the start that brings it, and served after the next', async () => {
  const objects = await emptyStore()
  const first = await started(objects, '0.1.0', 'one')
  expect(await first.read('player/0.1.0/index.js')).toEqual({ text: 'one', isForEver: true })
  await expect(first.read('player/0.2.0/index.js')).rejects.toMatchObject({ status: 404 })
  const second = await started(objects, '0.2.0', 'two')
  expect(await second.read('player/0.1.0/index.js')).toEqual({ text: 'one', isForEver: true })
  expect(await second.read('player/0.2.0/index.js')).toEqual({ text: 'two', isForEver: true })
  expect(await second.read('player/index.js')).toEqual({ text: 'two', isForEver: false })
  expect([...first.warned, ...second.warned]).toEqual([])
})

test('other content under the same number is for no cache to keep, which is said, and replaces nothing', async () => {
  const objects = await emptyStore()
  await started(objects, '0.1.0', 'one')
  const changed = await started(objects, '0.1.0', 'changed')
  expect(await changed.read('player/0.1.0/index.js')).toEqual({ text: 'changed', isForEver: false })
  expect(changed.warned).toEqual(['@marquee/player is not what version 0.1.0 was: it needs a new number'])
  const next = await started(objects, '0.2.0', 'two')
  expect(await next.read('player/0.1.0/index.js')).toEqual({ text: 'one', isForEver: true })
})

test('while the store is away what is built is served, and other versions are unavailable, not gone', async () => {
  const objects = await emptyStore()
  await started(objects, '0.1.0', 'one')
  const away = {
    ...objects,
    get: () => Promise.reject(new StorageUnavailable(new Error('away'))),
  }
  const second = await started(away, '0.2.0', 'two')
  expect(await second.read('player/0.2.0/index.js')).toEqual({ text: 'two', isForEver: false })
  await expect(second.read('player/0.1.0/index.js')).rejects.toThrow(StorageUnavailable)
})
