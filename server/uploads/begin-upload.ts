import type { FileId, ProjectId } from '../base/ids.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import type { Transaction } from '../platform/postgres/client.ts'
import { type FileKind, signAddress } from './address.ts'
import { incomingKey } from './keys.ts'
import { MAX_BYTES } from './limits.ts'
import { insertFile } from './store.ts'

export interface UploadDeps {
  objects: ObjectStore
  uploadUrl: string
  uploadSecret: string
  lifetimeSeconds: number
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
}

/** Writes down that a file is awaited and answers the address to send it to. */
export async function beginUpload(
  tx: Transaction,
  file: AwaitedFile,
  { objects, uploadUrl, uploadSecret, lifetimeSeconds }: UploadDeps,
): Promise<BegunUpload> {
  const expires = Math.floor(Date.now() / 1000) + lifetimeSeconds
  const expiresAt = new Date(expires * 1000)
  const awaitedUntil = new Date((expires + (file.graceSeconds ?? 0)) * 1000)
  await insertFile(tx, { ...file, expires: awaitedUntil })
  const grant = { fileId: file.id, kind: file.kind, maxBytes: MAX_BYTES[file.kind], expires }
  const url =
    (await objects.presignPut(incomingKey(file.id), { expiresAt })) ??
    signAddress(uploadUrl, grant, uploadSecret)
  return { url, expires }
}
