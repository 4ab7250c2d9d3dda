import { readFileSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { ListedObject, ObjectStore } from '../../server/platform/objects/port.ts'
import { bytesOnDisk, objectsOnDisk } from './media.ts'

/** What a service has stored of media, wherever that is. */
export interface StoredMedia {
  /** Of everything: also uploads not completed, and halves of anything. */
  names(): Promise<string[]>
  /** What is held for projects. */
  bytes(): Promise<number>
  read(key: string): Promise<Buffer>
}

export const mediaOnDisk = (dataDir: string): StoredMedia => ({
  names: async () => objectsOnDisk(dataDir),
  bytes: async () => bytesOnDisk(dataDir),
  read: async (key) => readFileSync(path.join(dataDir, 'objects', key)),
})

export const mediaInStore = (store: Pick<ObjectStore, 'list' | 'get'>): StoredMedia => ({
  names: async () => (await mediaIn(store)).map(({ key }) => key),
  async bytes() {
    const ofProjects = (await mediaIn(store)).filter(({ key }) => key.startsWith('media/'))
    return ofProjects.reduce((sum, { size }) => sum + size, 0)
  },
  read: async (key) => buffer((await store.get(key))!.stream),
})

/** All that a store holds but the versions of the packages, which are put there by a start. */
export async function mediaIn(store: Pick<ObjectStore, 'list'>): Promise<ListedObject[]> {
  const found: ListedObject[] = []
  for await (const object of store.list()) if (!object.key.startsWith('sdk/')) found.push(object)
  return found
}
