import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { ifThere } from './disk-folders.ts'
import type { ListedObject } from './port.ts'

/** The objects in a folder, in the byte order of their keys; what goes meanwhile is left out. */
export async function* listFolder(folder: string, prefix: string): AsyncGenerator<ListedObject> {
  const entries = await ifThere(readdir(folder, { withFileTypes: true }))
  for (const name of (entries ?? []).map(asKeyPart).sort()) {
    const key = prefix + name
    if (key.endsWith('/')) {
      yield* listFolder(path.join(folder, name), key)
      continue
    }
    const stat = await ifThere(lstat(path.join(folder, name)))
    if (stat?.isFile()) yield { key, size: stat.size, lastModified: stat.mtime }
  }
}

// A folder sorts with its slash: "a-b" comes before "a/b", though "a" comes before "a-b".
function asKeyPart(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name
}
