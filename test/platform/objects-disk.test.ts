import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { link, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDiskStore } from '../../server/platform/objects/disk.ts'
import { StorageFull, StorageUnavailable } from '../../server/platform/objects/errors.ts'
import { objectStoreContract } from './objects.contract.ts'
import { keysUnder, MiB, ownFolder, readText } from './objects-contract/helpers.ts'

describe('objects on disk', () => {
  let shared: string
  objectStoreContract(async () => {
    shared = await mkdtemp(path.join(os.tmpdir(), 'marquee-objects-'))
    return openDiskStore(shared)
  })
  afterAll(() => rm(shared, { recursive: true, force: true }))

  test('are for the service alone, and leave no folders behind', async () => {
    const folder = await ownFolder()
    const store = await openDiskStore(path.join(folder, 'data'))
    await store.put('a/b/c', Buffer.from('x'))
    await writeFile(path.join(folder, 'file'), 'y', { mode: 0o644 })
    await store.putFile('a/d', path.join(folder, 'file'))
    const modes = await Promise.all(
      ['', 'objects', 'objects/a', 'objects/a/b', 'temporary', 'objects/a/b/c', 'objects/a/d'].map(
        async (name) => ((await stat(path.join(folder, 'data', name))).mode & 0o777).toString(8),
      ),
    )
    expect(modes).toEqual(['700', '700', '700', '700', '700', '600', '600'])
    await store.delete('a/d')
    await store.move('a/b/c', 'e/f')
    expect(await readdir(path.join(folder, 'data/objects'))).toEqual(['e'])
    await store.deletePrefix('e/')
    expect(await readdir(path.join(folder, 'data/objects'))).toEqual([])
    expect(await readdir(path.join(folder, 'data/temporary'))).toEqual([])
  })

  test('have no address of their own', async () => {
    const store = await openDiskStore(await ownFolder())
    const expiresAt = new Date(Date.now() + 60_000)
    expect(await store.presignPut('a', { expiresAt })).toBeUndefined()
    expect(await store.presignGet('a', { expiresAt })).toBeUndefined()
  })

  test('are copied where a file cannot just be renamed', async () => {
    const folder = await ownFolder()
    const store = await openDiskStore(folder)
    await writeFile(path.join(folder, 'file'), 'first')
    await link(path.join(folder, 'file'), path.join(folder, 'second-name'))
    await store.putFile('a', path.join(folder, 'file'))
    await writeFile(path.join(folder, 'second-name'), 'changed')
    expect(await readText(store, 'a')).toBe('first')

    const elsewhere = await ownFolder('/dev/shm')
    await writeFile(path.join(elsewhere, 'file'), 'from afar')
    await store.putFile('b', path.join(elsewhere, 'file'))
    expect(await readText(store, 'b')).toBe('from afar')
    expect(await readdir(elsewhere)).toEqual([])
  })

  test('are put into folders that are removed at every moment', async () => {
    // In memory, where nothing waits for a disk, the two meet more often.
    const folder = await ownFolder('/dev/shm')
    const store = await openDiskStore(folder)
    const script = path.join(import.meta.dirname, 'objects-remove-folders.ts')
    const remover = spawn(process.execPath, [script, path.join(folder, 'objects')])
    onTestFinished(() => void remover.kill())
    await once(remover.stdout, 'data')
    for (let round = 0; round < 200; round++) {
      await store.put('some/deep/folder/a', Buffer.from('a'))
      expect(await readText(store, 'some/deep/folder/a')).toBe('a')
      await store.move('some/deep/folder/a', 'other/folder/a')
      await store.delete('other/folder/a')
    }
    expect(remover.exitCode).toBeNull()
  })

  test('do not take a file for a folder', async () => {
    const store = await openDiskStore(await ownFolder())
    await store.put('a/b', Buffer.from('x'))
    await expect(store.put('a', Buffer.from('y'))).rejects.toThrow()
    await expect(store.put('a/b/c', Buffer.from('y'))).rejects.toThrow()
    expect(await keysUnder(store)).toEqual(['a/b'])
    expect(await store.sweepTemporary(0)).toBe(0)
  })

  test('are never half there after the process is killed', async () => {
    const folder = await ownFolder()
    const store = await openDiskStore(folder)
    await store.put('v/old', Buffer.from('old'))
    for (const key of ['v/old', 'v/new']) await killHalfWay(folder, key)

    const restarted = await openDiskStore(folder)
    expect(await keysUnder(restarted)).toEqual(['v/old'])
    expect(await readText(restarted, 'v/old')).toBe('old')
    expect(await restarted.sweepTemporary(3_600_000)).toBe(0)
    expect(await restarted.sweepTemporary(0)).toBe(2)
    expect(await readdir(path.join(folder, 'temporary'))).toEqual([])
    await restarted.put('v/new', Buffer.from('new'))
    expect(await readText(restarted, 'v/new')).toBe('new')
  })

  test('say so when they cannot be written', async () => {
    const folder = await ownFolder()
    const store = await openDiskStore(folder)
    await rm(path.join(folder, 'temporary'), { recursive: true })
    await expect(store.check()).rejects.toThrow(StorageUnavailable)
    await expect(store.put('a', Buffer.from('x'))).rejects.toThrow('ENOENT')
  })
})

async function killHalfWay(folder: string, key: string): Promise<void> {
  const script = path.join(import.meta.dirname, 'objects-half-put.ts')
  const child: ChildProcess = spawn(process.execPath, [script, folder, key], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout!, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

describe.skipIf(!canMount())('objects on a full disk', () => {
  test('are refused by name, and fit again when there is room', async () => {
    const folder = await ownFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'marquee-test', folder])
    onTestFinished(() => void execFileSync('umount', [folder]))
    const store = await openDiskStore(folder)
    await store.put('first', Buffer.alloc(3 * MiB))
    await expect(store.put('second', Buffer.alloc(2 * MiB))).rejects.toThrow(StorageFull)
    expect(await keysUnder(store)).toEqual(['first'])
    expect(await store.sweepTemporary(0)).toBe(0)
    await store.delete('first')
    await store.put('second', Buffer.alloc(2 * MiB))
  })
})

/** A small file system of its own takes root, and a container may forbid it even then. */
function canMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'marquee-test', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
