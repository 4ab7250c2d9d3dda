import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { onTestFinished } from 'vitest'
import type { ByteRange, ObjectStore } from '../../../server/platform/objects/port.ts'

export type Store = () => ObjectStore

export const MiB = 2 ** 20

/** A prefix that no other test uses, with its closing slash. */
export function ownPrefix(): string {
  return `test/${randomBytes(8).toString('hex')}/`
}

export async function ownFolder(parent = os.tmpdir()): Promise<string> {
  const folder = await mkdtemp(path.join(parent, 'marquee-objects-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function read(store: ObjectStore, key: string, range?: ByteRange): Promise<Buffer | undefined> {
  const object = await store.get(key, range)
  return object && buffer(object.stream)
}

export async function readText(store: ObjectStore, key: string, range?: ByteRange) {
  return (await read(store, key, range))?.toString()
}

export async function keysUnder(store: ObjectStore, prefix?: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list(prefix)) keys.push(key)
  return keys
}

export function sha256(body: Buffer | string): string {
  return createHash('sha256').update(body).digest('hex')
}

export async function sha256OfStream(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk)
  return hash.digest('hex')
}

/** Bytes in buffers that are in use, and not merely not collected yet. */
export function heldInBuffers(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().arrayBuffers
}

/** Runs an action for each number below `count`, some at a time. */
export async function inBatches(count: number, atOnce: number, action: (n: number) => Promise<unknown>) {
  let next = 0
  const worker = async () => {
    while (next < count) await action(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
