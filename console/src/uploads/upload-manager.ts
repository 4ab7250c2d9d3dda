import {
  createClient,
  type MarqueeError,
  type StartUpload,
  type Upload,
  type UploadProgress,
  uploads,
} from '@marquee/client'
import { keepNote } from '../kept-notes.ts'
import { hasToken, onSession, sessionEnd } from '../session/session.ts'
import { words } from '../words.ts'
import { fetchPatiently, holdUploads, releaseUploads } from './patient-fetch.ts'
import { changeUploads, isUnderWay, type UploadEntry, uploadEntries } from './upload-store.ts'

/** A browser has six connections to a host over HTTP/1.1: the others are for pictures and calls. */
const AT_ONCE = 3

const starters = new Map<string, StartUpload>()
const files = new Map<number, File>()
const running = new Map<number, Upload>()
let lastId = 0

/** A service that is away or busy comes back, and an upload waits for it; other failures are worth a few tries. */
const PASSING = [0, 408, 429, 502, 503, 504]
const retries = ({ status }: MarqueeError): number => (PASSING.includes(status) ? Infinity : 2)

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
  const file = files.get(id)!
  let unreadable: unknown
  const upload = starterOf(projectId)(file, {
    onProgress: (progress) => change(id, sending(progress)),
    retries,
    onRetry(error) {
      change(id, { state: 'away', error })
      // Nobody waits for a file that was changed or taken away meanwhile: a browser says no more of it than that sending failed.
      file
        .slice(0, 1)
        .arrayBuffer()
        .catch((reason) => {
          unreadable = reason
          upload.cancel()
        })
    },
  })
  running.set(id, upload)
  upload.done
    .then((made) => {
      if (made.kind === 'post') return
      const media = { kind: made.kind, id: made.kind === 'video' ? made.video.id : made.image.id }
      files.delete(id)
      change(id, { state: 'done', media })
    })
    .catch((error) => change(id, { state: 'failed', error: unreadable ?? error }))
    .finally(() => running.delete(id))
}

function starterOf(projectId: string): StartUpload {
  const known = starters.get(projectId)
  if (known) return known
  const starter = uploads(createClient({ fetch: fetchPatiently, projectId }), { concurrency: AT_ONCE })
  starters.set(projectId, starter)
  return starter
}

function sending(progress: UploadProgress): Partial<UploadEntry> {
  return { progress, state: progress.sent === progress.total ? 'checking' : 'sending' }
}

function change(id: number, changes: Partial<UploadEntry>): void {
  changeUploads((entries) => entries.map((entry) => (entry.id === id ? { ...entry, ...changes } : entry)))
}

function removeAll(): void {
  for (const { id } of uploadEntries()) removeUpload(id)
}

// Whoever signs out takes their uploads with them. Where a session ends otherwise they wait, and go on for the same person.
onSession(() => {
  if (!hasToken()) {
    if (sessionEnd() === 'signed-out') removeAll()
    else if (sessionEnd() === 'replaced') {
      const stopped = uploadEntries().filter(isUnderWay).length
      if (stopped > 0) keepNote(words.uploads.stopped(stopped))
      removeAll()
    } else if (uploadEntries().length > 0) holdUploads()
  } else releaseUploads()
})

addEventListener('beforeunload', (event) => {
  if (uploadEntries().some(isUnderWay)) event.preventDefault()
})
