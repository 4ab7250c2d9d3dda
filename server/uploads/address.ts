import { createHmac, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../base/errors.ts'
import type { FileId } from '../base/ids.ts'

export type FileKind = 'image' | 'video'

/** What an upload address allows, and for how long. All of it is under the signature. */
export interface UploadGrant {
  fileId: FileId
  kind: FileKind
  maxBytes: number
  /** Unix time in seconds. */
  expires: number
}

export function signAddress(uploadUrl: string, grant: UploadGrant, secret: string): string {
  const { fileId, kind, maxBytes, expires } = grant
  const query = new URLSearchParams({
    kind,
    max: String(maxBytes),
    expires: String(expires),
    signature: sign(grant, secret),
  })
  return `${uploadUrl}/${fileId}?${query}`
}

export interface AddressQuery {
  kind?: string
  max?: string
  expires?: string
  signature?: string
}

/** Reads an address that somebody came by; throws 403 unless it is one of ours, or unless it still works. */
export function readAddress(
  fileId: FileId,
  query: AddressQuery,
  { secret, now, whenExpired = 403 }: { secret: string; now: number; whenExpired?: 403 | 410 },
): UploadGrant {
  const grant = {
    fileId,
    kind: query.kind as FileKind,
    maxBytes: Number(query.max),
    expires: Number(query.expires),
  }
  const expected = Buffer.from(sign(grant, secret))
  const shown = Buffer.from(query.signature ?? '')
  if (shown.length !== expected.length || !timingSafeEqual(shown, expected))
    throw new Refusal(403, { details: 'the address was changed, or is not one of ours' })
  if (now >= grant.expires * 1000)
    throw new Refusal(whenExpired, { details: 'the address has expired; ask for a new one' })
  return grant
}

function sign({ fileId, kind, maxBytes, expires }: UploadGrant, secret: string): string {
  return createHmac('sha256', secret)
    .update(`PUT\n${fileId}\n${kind}\n${maxBytes}\n${expires}`)
    .digest('base64url')
}
