import { Refusal } from '../base/errors.ts'
import type { FileId, ProjectId } from '../base/ids.ts'
import { findSigningSecret, isSigned } from '../images/index.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { SizeQuery } from './size-query.ts'

/** Widths that pages of the service itself ask for; they are few, and every image may be had in them. */
export const UNSIGNED_WIDTHS = [160, 240, 320, 480, 640, 960, 1280, 1920, 2560]

export interface SizePermission {
  /** Whether sizes that are no presets have to be signed. */
  signed: boolean
  /** What the service signs sizes by itself. */
  secret: string
}

/** Refuses a size that nobody has allowed, so that nobody fills the cache with all there could be. */
export async function requireAllowed(
  file: { projectId: ProjectId; fileId: FileId },
  { query, text }: { query: SizeQuery; text: string },
  { sql, permission }: { sql: Sql; permission: SizePermission },
): Promise<void> {
  if (!permission.signed || isFewInKind(query)) return
  if (isSigned(file, text, [permission.secret])) return
  const own = await findSigningSecret(sql, file.projectId)
  if (own && isSigned(file, text, [own.secret])) return
  throw new Refusal(403, { details: 'the size is not signed: ask for a preset, or sign the address' })
}

function isFewInKind({ format: _, signature: __, preset, dpr, w, ...rest }: SizeQuery): boolean {
  if (Object.values(rest).some((value) => value !== undefined)) return false
  if (preset !== undefined) return true
  return dpr === undefined && (w === undefined || UNSIGNED_WIDTHS.includes(w))
}
