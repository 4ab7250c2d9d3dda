import type { Schemas } from './api-types.ts'
import { type BegunUpload, beginUpload } from './begin-upload.ts'
import type { Client } from './client.ts'
import type { MarqueeError } from './errors.ts'
import { type Gate, put, sendable, type UploadSource } from './put.ts'
import { type Retries, retrying, sleep } from './retry.ts'
import { measure, type UploadProgress } from './upload-progress.ts'

export interface UploadOptions {
  /** Found by the content's type or its name's ending unless told; what has neither is taken for a video. */
  kind?: 'video' | 'image'
  /** A file's own unless told. */
  name?: string
  /** Of a stream, in bytes, where it is known: progress then has a total. */
  size?: number
  /** Makes a post of it, in this feed. */
  feedId?: string
  /** Of a post. */
  description?: string
  /** Of a post. */
  creatorId?: string
  /** Of a video; the project's unless told. */
  quality?: 'basic' | 'shorts' | 'pro'
  /** Of a video; a frame of its own unless told. */
  poster?: Blob
  onProgress?: (progress: UploadProgress) => void
  /** How often each step is tried again; the client's unless told. */
  retries?: Retries
  /** Told of a failure after which a step is tried again. */
  onRetry?: (error: MarqueeError) => void
  signal?: AbortSignal
}

/** What was made of an upload. */
export type Uploaded =
  | { kind: 'video'; video: Schemas['Video'] }
  | { kind: 'image'; image: Schemas['Image'] }
  | { kind: 'post'; post: Schemas['Post'] }

export interface Upload {
  /** Resolves when it is made and can be shown. */
  readonly done: Promise<Uploaded>
  /**
   * Sends nothing more until `resume`, which goes on where it was for as long as the service waits for more. After that,
   * and in browsers always, a file is sent from its beginning again.
   */
  pause(): void
  resume(): void
  /** Gives it up: what was begun is deleted, and `done` rejects. */
  cancel(): void
}

export type StartUpload = (source: UploadSource | Promise<UploadSource>, options?: UploadOptions) => Upload

/** Uploads, so many at once; the others wait for their turn. */
export function uploads(client: Client, { concurrency = 3 }: { concurrency?: number } = {}): StartUpload {
  let waiting: (() => void)[] = []
  let running = 0

  async function inTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    while (running >= concurrency && !signal.aborted)
      await new Promise<void>((resolve) => waiting.push(resolve))
    signal.throwIfAborted()
    running++
    try {
      return await work()
    } finally {
      running--
      wake()
    }
  }

  /** All that wait look again, the one that has waited longest first. */
  function wake(): void {
    const woken = waiting
    waiting = []
    for (const one of woken) one()
  }

  return (source, options = {}) => {
    const cancelled = new AbortController()
    const signal = options.signal ? AbortSignal.any([options.signal, cancelled.signal]) : cancelled.signal
    const gate: Gate = { open: () => {} }
    // It waits for nothing any more: neither to be resumed nor for its turn.
    signal.addEventListener('abort', () => {
      gate.open()
      wake()
    })
    return {
      done: inTurn(async () => upload(client, await source, { ...options, signal }, gate), signal),
      pause() {
        gate.wasShut = true
        gate.opened ??= new Promise((resolve) => {
          gate.open = () => {
            gate.opened = undefined
            resolve()
          }
        })
        gate.onShut?.()
      },
      resume: () => gate.open(),
      cancel: () => cancelled.abort(),
    }
  }
}

async function upload(
  client: Client,
  given: UploadSource,
  options: UploadOptions & { signal: AbortSignal },
  gate: Gate,
): Promise<Uploaded> {
  const { signal } = options
  const source = await sendable(given, signal)
  const size = options.size ?? (source as Partial<Blob>).size
  const begun = await beginUpload(client, source, options)
  // Images have none.
  const poster = begun.posterUrl && options.poster
  const told = measure(size && size + (poster ? poster.size : 0), options.onProgress)

  async function send(url: string, content: UploadSource, part: string): Promise<void> {
    const isFile = content instanceof Blob
    async function once(): Promise<void> {
      await gate.opened
      gate.wasShut = false
      try {
        await put(url, content, { size: isFile ? content.size : size, signal, gate, onSent: told(part) })
      } catch (error) {
        if (!isFile || !gate.wasShut || signal.aborted) throw error
        // Given up because it was paused: that is no failure.
        await once()
      }
    }
    const { maxWait = 60_000 } = client.options
    const retries = options.retries ?? client.options.retries ?? 3
    await retrying(once, { retries, maxWait, isRepeatable: isFile, signal, onRetry: options.onRetry })
  }

  try {
    if (poster) await send(begun.posterUrl!, poster, 'poster')
    await send(begun.url, source, 'content')
    return await begun.complete()
  } catch (error) {
    if (signal.aborted) await discard(begun)
    throw error
  }
}

/** What is being completed in that moment can be deleted when it is made. */
async function discard(begun: BegunUpload): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    const status = await begun.discard().then(
      () => 204,
      (error: MarqueeError) => error.status,
    )
    if (status !== 409) return
    await sleep(250)
  }
}
