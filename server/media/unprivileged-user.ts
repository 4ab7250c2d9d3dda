import { statSync } from 'node:fs'
import path from 'node:path'

/** An account that owns nothing: the number is one that no system hands out to a person or a service. */
export const UNPRIVILEGED_UID = 65530

/** Whether that account may pass through every folder on the way down, and then read or write. */
export function canUse(file: string, purpose: 'read' | 'write'): boolean {
  const wanted = purpose === 'read' ? 0o4 : 0o3
  for (let current = file, bit = wanted; ; current = path.dirname(current), bit = 0o1) {
    const { uid, gid, mode } = statSync(current)
    const granted = uid === UNPRIVILEGED_UID ? mode >> 6 : gid === UNPRIVILEGED_UID ? mode >> 3 : mode
    if ((granted & bit) !== bit) return false
    if (current === path.dirname(current)) return true
  }
}

/** Whether anybody may read a file, or look into a folder, that they have got to. */
export function isOpenToAll(file: string): boolean {
  const found = statSync(file)
  const wanted = found.isDirectory() ? 0o5 : 0o4
  return (found.mode & wanted) === wanted
}

/** The deepest folder that holds all of them. */
export function commonFolder(files: string[]): string {
  const [first = '/', ...others] = files
  let folder = path.dirname(first)
  while (!others.every((file) => file.startsWith(folder === '/' ? folder : `${folder}/`)))
    folder = path.dirname(folder)
  return folder
}
