import { type StartUpload, type Upload, type UploadProgress, uploads } from '@marquee/client'
import { clientOf } from '../api.ts'
import { hasToken, onSession } from '../session/session.ts'
import { changeUploads, isUnderWay, type UploadEntry, uploadEntries } from './upload-store.ts'

/** A browser has six connections to a host over HTTP/1.1: the others are for pictures and calls. */
const AT_ONCE = 3

const starters = new Map<string, StartUpload>()
const files = new Map<number, File>()
const running = new Map<number, Upload>()
let lastId = 0

export function uploadFiles(projectId: string, chosen: readonly File[]): void {
  const added = chosen.map((file): UploadEntry => {
    const id = ++lastId
    files.set(id, file)
    return { id, projectId, name: file.name, size: file.size, state: 'waiting' }
  })
  changeUploads((entries) => [...entries, ...added])
  for (const entry of added) start(entry)
}

export function retryUpload(id: number): void {
  const entry = uploadEntries().find((one) => one.id === id)
  if (entry?.state !== 'failed') return
  const { error: _, progress: __, ...rest } = entry
  const again: UploadEntry = { ...rest, state: 'waiting' }
  changeUploads((entries) => entries.map((one) => (one.id === id ? again : one)))
  start(again)
}

/** Gives it up where it is under way, and takes it off the list. */
export function removeUpload(id: number): void {
  changeUploads((entries) => entries.filter((entry) => entry.id !== id))
  running.get(id)?.cancel()
  running.delete(id)
  files.delete(id)
}

export function removeFinishedUploads(): void {
  for (const entry of uploadEntries()) if (!isUnderWay(entry)) removeUpload(entry.id)
}

function start({ id, projectId }: UploadEntry): void {
  const startUpload = starters.get(projectId) ?? uploads(clientOf(projectId), { concurrency: AT_ONCE })
  starters.set(projectId, startUpload)
  const upload = startUpload(files.get(id)!, { onProgress: (progress) => change(id, sending(progress)) })
  running.set(id, upload)
  upload.done
    .then((made) => {
      if (made.kind === 'post') return
      const media = { kind: made.kind, id: made.kind === 'video' ? made.video.id : made.image.id }
      files.delete(id)
      change(id, { state: 'done', media })
    })
    .catch((error) => change(id, { state: 'failed', error }))
    .finally(() => running.delete(id))
}

function sending(progress: UploadProgress): Partial<UploadEntry> {
  return { progress, state: progress.sent === progress.total ? 'checking' : 'sending' }
}

function change(id: number, changes: Partial<UploadEntry>): void {
  changeUploads((entries) => entries.map((entry) => (entry.id === id ? { ...entry, ...changes } : entry)))
}

// Whoever signs out takes their uploads with them.
onSession(() => {
  if (!hasToken()) for (const { id } of uploadEntries()) removeUpload(id)
})

addEventListener('beforeunload', (event) => {
  if (uploadEntries().some(isUnderWay)) event.preventDefault()
})
