import type { FileId, ProjectId } from '../base/ids.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import type { Transaction } from '../platform/postgres/client.ts'
import { type FileKind, signAddress } from './address.ts'
import { incomingKey } from './keys.ts'
import { MAX_BYTES, tooLarge } from './limits.ts'
import { insertFile } from './store.ts'
import { insertLength } from './tus/store.ts'

export interface UploadDeps {
  objects: ObjectStore
  uploadUrl: string
  uploadSecret: string
  lifetimeSeconds: number
  /** Whether clients send files whose size they name straight to a store that has addresses of its own. */
  direct: boolean
}

export interface BegunUpload {
  url: string
  /** Unix time in seconds. */
  expires: number
}

interface AwaitedFile {
  id: FileId
  projectId: ProjectId
  kind: FileKind
  name: string
  /** How long it is still waited for once its address has stopped working. */
  graceSeconds?: number
  /** In bytes, where the client has said it. */
  size?: number | undefined
  /** Whether the address shall speak tus, which only those of the service do. */
  resumable?: boolean | undefined
}

/** Writes down that a file is awaited and answers the address to send it to. */
export async function beginUpload(
  tx: Transaction,
  file: AwaitedFile,
  { objects, uploadUrl, uploadSecret, lifetimeSeconds, direct }: UploadDeps,
): Promise<BegunUpload> {
  const { size, resumable = false } = file
  const most = MAX_BYTES[file.kind]
  if (size !== undefined && size > most) throw tooLarge(most)
  const expires = Math.floor(Date.now() / 1000) + lifetimeSeconds
  const expiresAt = new Date(expires * 1000)
  const awaitedUntil = new Date((expires + (file.graceSeconds ?? 0)) * 1000)
  await insertFile(tx, { ...file, expires: awaitedUntil })
  if (size !== undefined) await insertLength(tx, file.id, size)
  const grant = { fileId: file.id, kind: file.kind, maxBytes: size ?? most, expires }
  // A store holds a client to a length that is signed, but to no limit: without one, the service takes the bytes and counts them.
  const ofStore =
    direct && !resumable && size !== undefined
      ? await objects.presignPut(incomingKey(file.id), { expiresAt, contentLength: size })
      : undefined
  const url = ofStore ?? signAddress(uploadUrl, grant, uploadSecret)
  return { url, expires }
}
