import type { Schemas } from './api-types.ts'
import { beginUpload } from './begin-upload.ts'
import type { Client } from './client.ts'
import type { MarqueeError } from './errors.ts'
import { type Gate, put, type UploadSource } from './put.ts'
import { type Retries, retrying } from './retry.ts'
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
  /** Gives it up: `done` rejects, and the service sweeps what was sent. */
  cancel(): void
}

export type StartUpload = (source: UploadSource | Promise<UploadSource>, options?: UploadOptions) => Upload

/** Uploads, so many at once; the others wait for their turn. */
export function uploads(client: Client, { concurrency = 3 }: { concurrency?: number } = {}): StartUpload {
  const waiting: (() => void)[] = []
  let running = 0

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < concurrency) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return (source, options = {}) => {
    const cancelled = new AbortController()
    const signal = options.signal ? AbortSignal.any([options.signal, cancelled.signal]) : cancelled.signal
    const gate: Gate = { open: () => {} }
    return {
      done: inTurn(async () => {
        signal.throwIfAborted()
        return upload(client, await source, { ...options, signal }, gate)
      }),
      pause() {
        gate.opened ??= new Promise((resolve) => {
          gate.open = () => {
            gate.opened = undefined
            resolve()
          }
        })
        gate.onShut?.()
      },
      resume: () => gate.open(),
      cancel() {
        cancelled.abort()
        gate.open()
      },
    }
  }
}

async function upload(
  client: Client,
  source: UploadSource,
  options: UploadOptions & { signal: AbortSignal },
  gate: Gate,
): Promise<Uploaded> {
  const { signal, poster } = options
  const size = options.size ?? (source as Partial<Blob>).size
  const begun = await beginUpload(client, source, options)
  const told = measure(size === undefined ? undefined : size + (poster?.size ?? 0), options.onProgress)

  async function send(url: string, content: UploadSource, part: string): Promise<void> {
    const isFile = content instanceof Blob
    async function once(): Promise<void> {
      await gate.opened
      try {
        await put(url, content, { size: isFile ? content.size : size, signal, gate, onSent: told(part) })
      } catch (error) {
        if (!isFile || !gate.opened || signal.aborted) throw error
        // Given up because it was paused: that is no failure.
        await once()
      }
    }
    const { maxWait = 60_000 } = client.options
    const retries = options.retries ?? client.options.retries ?? 3
    await retrying(once, { retries, maxWait, isRepeatable: isFile, signal, onRetry: options.onRetry })
  }

  if (poster && begun.posterUrl) await send(begun.posterUrl, poster, 'poster')
  await send(begun.url, source, 'content')
  return begun.complete()
}
