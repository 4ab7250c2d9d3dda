import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { isMissing } from './disk-folders.ts'
import type { ListedObject } from './port.ts'

/** The objects in a folder, in the byte order of their keys; what goes meanwhile is left out. */
export async function* listFolder(folder: string, prefix: string): AsyncGenerator<ListedObject> {
  const entries = await unlessMissing(readdir(folder, { withFileTypes: true }))
  for (const name of (entries ?? []).map(asKeyPart).sort()) {
    const key = prefix + name
    if (key.endsWith('/')) {
      yield* listFolder(path.join(folder, name), key)
      continue
    }
    const stat = await unlessMissing(lstat(path.join(folder, name)))
    if (stat?.isFile()) yield { key, size: stat.size, lastModified: stat.mtime }
  }
}

// A folder sorts with its slash: "a-b" comes before "a/b", though "a" comes before "a-b".
function asKeyPart(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
