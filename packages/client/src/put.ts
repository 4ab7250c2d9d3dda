import { unreachable } from './client.ts'
import { refusalOf } from './errors.ts'

export type UploadSource = Blob | ReadableStream<Uint8Array>

/** Shut while an upload is paused. */
export interface Gate {
  opened?: Promise<void> | undefined
  /** Since it was last asked for. */
  wasShut?: boolean
  open(): void
  /** Told when it is shut. */
  onShut?(): void
}

export interface PutOptions {
  /** Where it is known beforehand. */
  size: number | undefined
  signal: AbortSignal
  gate: Gate
  onSent(bytes: number): void
}

/** The part of XMLHttpRequest that is used, in browsers and their workers: fetch does not tell there what it has sent. */
interface BrowserRequest {
  upload: { onprogress: (event: { loaded: number }) => void }
  status: number
  statusText: string
  responseText: string
  onload: () => void
  onerror: () => void
  onabort: () => void
  open(method: string, url: string): void
  send(body: Blob): void
  abort(): void
}

/** Of a browser: in pages and their workers, and in service workers, which have no XMLHttpRequest. */
const browser = globalThis as unknown as {
  XMLHttpRequest?: new () => BrowserRequest
  registration?: object
}

/** A browser cannot send a stream everywhere, and nowhere over HTTP/1.1: there it is read first, and then is as a file. */
export async function sendable(content: UploadSource, signal: AbortSignal): Promise<UploadSource> {
  if (content instanceof Blob || !(browser.XMLHttpRequest || browser.registration)) return content
  return new Response(content.pipeThrough(new TransformStream(), { signal })).blob()
}

/** Sends content to a signed address, which is all the permission that it takes. */
export async function put(url: string, content: UploadSource, options: PutOptions): Promise<void> {
  const sending = browser.XMLHttpRequest
    ? putByRequest(new browser.XMLHttpRequest(), url, content as Blob, options)
    : browser.registration
      ? putAtOnce(url, content as Blob, options)
      : putByFetch(url, content, options)
  const response = await sending.catch((error) => {
    options.signal.throwIfAborted()
    throw unreachable(error)
  })
  if (!response.ok) throw await refusalOf(response)
}

function putByRequest(
  request: BrowserRequest,
  url: string,
  content: Blob,
  { signal, gate, onSent }: PutOptions,
): Promise<Response> {
  const abort = () => request.abort()
  return new Promise<Response>((resolve, reject) => {
    request.open('PUT', url)
    request.upload.onprogress = ({ loaded }) => onSent(loaded)
    request.onload = () => {
      const { responseText, status, statusText } = request
      // Nothing at all, as a 204 is, may not even be an empty text.
      resolve(new Response(responseText || null, { status, statusText }))
    }
    request.onabort = request.onerror = () => reject(new Error('the upload was cut off'))
    // When it has ended, these do nothing.
    gate.onShut = abort
    signal.addEventListener('abort', abort)
    signal.throwIfAborted()
    request.send(content)
  })
}

/** Where nothing tells how much was sent before all of it was. */
async function putAtOnce(url: string, body: Blob, { signal, gate, onSent }: PutOptions): Promise<Response> {
  const shut = new AbortController()
  gate.onShut = () => shut.abort()
  const response = await fetch(url, {
    method: 'PUT',
    body,
    signal: AbortSignal.any([signal, shut.signal]),
  })
  onSent(body.size)
  return response
}

/** As much as is read of a file at a time: few steps, but enough of them to tell how far it is. */
const PIECE_BYTES = 2 ** 18

function putByFetch(url: string, content: UploadSource, options: PutOptions): Promise<Response> {
  const { size, signal, gate, onSent } = options
  const reader = content instanceof Blob ? undefined : content.getReader()
  let sent = 0
  async function next(): Promise<Uint8Array | undefined> {
    if (reader) return (await reader.read()).value
    const piece = (content as Blob).slice(sent, sent + PIECE_BYTES)
    return piece.size > 0 ? new Uint8Array(await piece.arrayBuffer()) : undefined
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await gate.opened
      const piece = await next()
      if (!piece) return controller.close()
      controller.enqueue(piece)
      sent += piece.length
      onSent(sent)
    },
    cancel: (reason) => reader?.cancel(reason),
  })
  // Stores that are not ours want to know the length beforehand.
  const headers: Record<string, string> = size === undefined ? {} : { 'content-length': `${size}` }
  return fetch(url, { method: 'PUT', body, headers, signal, duplex: 'half' } as RequestInit)
}
