import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { flushFolder } from '../../flush-folder.ts'
import type { Chunk, ErasedEvents, SetAside } from '../port.ts'
import { mayHold } from './erase-lines.ts'
import type { PieceLine, RejectedLine } from './read-piece.ts'

const SUFFIX = '.line'

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

/** Deletes what was put aside of these events: whoever looks into it finds nothing of them. */
export async function eraseAside(aside: string, erased: readonly ErasedEvents[]): Promise<void> {
  if (erased.length === 0) return
  for (const name of (await readdir(aside).catch(() => [])).filter((each) => each.endsWith(SUFFIX))) {
    const file = path.join(aside, name)
    // Whoever looks into them may take them away meanwhile.
    const line = await readFile(file).catch(() => Buffer.alloc(0))
    if (erased.some((one) => mayHold(line, one))) await rm(file, { force: true })
  }
}

function nameOf(segment: number, from: number): string {
  return `${String(segment).padStart(16, '0')}-${from}${SUFFIX}`
}
