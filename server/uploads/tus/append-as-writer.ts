import type { Readable } from 'node:stream'
import type { FileId } from '../../base/ids.ts'
import { newIdSuffix } from '../../base/ids.ts'
import { AppendTakenOver } from '../../platform/objects/errors.ts'
import type { Appended, AppendOptions, ObjectStore } from '../../platform/objects/port.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { piecesPrefix } from '../keys.ts'
import { claimResumable, findResumable, noteReceived, type ResumableClaim, releaseWriter } from './store.ts'

export interface AppendedPart extends Omit<ResumableClaim, 'writer'>, Pick<AppendOptions, 'checksum'> {
  source: Readable
  /** What the whole file may have at most. */
  most: number
  /** Told how many bytes of the file are there for good, as they come. What it throws ends the append. */
  onReceived?: (bytes: number) => Promise<void>
}

/**
 * Appends to what has arrived of a file, as the only one among all processes who does: claims the place of the writer, notes
 * what is kept as it comes, and gives the place back. Undefined where another appends, or where the offset is another.
 * Throws AppendTakenOver where another takes the place, and what `ObjectStore.append` throws.
 */
export async function appendAsWriter(
  fileId: FileId,
  { source, most, checksum, onReceived, ...claim }: AppendedPart,
  { sql, objects }: { sql: Sql; objects: ObjectStore },
): Promise<Appended | undefined> {
  const writer = newIdSuffix()
  if (!(await claimResumable(sql, fileId, { ...claim, writer }))) return undefined
  try {
    // Read after the claim: only now nobody else changes it.
    const { pieces } = (await findResumable(sql, fileId)) ?? { pieces: [] }
    return await objects.append(piecesPrefix(fileId), source, {
      to: { size: claim.offset, pieces },
      maxBytes: most - claim.offset,
      checksum,
      async onKept(kept) {
        if (!(await noteReceived(sql, fileId, writer, kept))) throw new AppendTakenOver()
        await onReceived?.(kept.size)
      },
    })
  } finally {
    await releaseWriter(sql, fileId, writer)
  }
}
