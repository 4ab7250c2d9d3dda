import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { flushFolder } from '../../flush-folder.ts'
import type { Chunk, SetAside } from '../port.ts'
import type { PieceLine, RejectedLine } from './read-piece.ts'

/**
 * Quarantine: writes lines that cannot be loaded to files of their own. Done before the position moves past them;
 * a line that is met again after a crash has the same name, so it is there once.
 */
export async function setAside(
  { segment, aside }: Chunk,
  rejected: readonly RejectedLine[],
): Promise<SetAside[]> {
  if (rejected.length === 0) return []
  await mkdir(aside, { recursive: true, mode: 0o700 })
  const done: SetAside[] = []
  for (const { bytes, from, reason } of rejected) {
    const file = path.join(aside, nameOf(segment, from))
    await writeFile(file, bytes, { mode: 0o600, flush: true })
    done.push({ file, reason })
  }
  await flushFolder(aside)
  return done
}

/** Which lines of a segment have been put aside already. */
export async function alreadyAside({ segment, aside }: Chunk): Promise<(line: PieceLine) => boolean> {
  const files = new Set(await readdir(aside).catch(() => []))
  return ({ from }) => files.has(nameOf(segment, from))
}

function nameOf(segment: number, from: number): string {
  return `${String(segment).padStart(16, '0')}-${from}.line`
}
