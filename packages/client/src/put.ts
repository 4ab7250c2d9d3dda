import { unreachable } from './client.ts'
import { refusalOf } from './errors.ts'

export type UploadSource = Blob | ReadableStream<Uint8Array>

/** Shut while an upload is paused. */
export interface Gate {
  opened?: Promise<void> | undefined
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

/** Sends content to a signed address, which is all the permission that it takes. */
export async function put(url: string, content: UploadSource, options: PutOptions): Promise<void> {
  const { XMLHttpRequest: Browser } = globalThis as unknown as {
    XMLHttpRequest?: new () => BrowserRequest
  }
  const sending = Browser
    ? putByRequest(new Browser(), url, content, options)
    : putByFetch(url, content, options)
  const response = await sending.catch((error) => {
    options.signal.throwIfAborted()
    throw unreachable(error)
  })
  if (!response.ok) throw await refusalOf(response)
}

async function putByRequest(
  request: BrowserRequest,
  url: string,
  content: UploadSource,
  { signal, gate, onSent }: PutOptions,
): Promise<Response> {
  // A page cannot send a stream everywhere, and nowhere over HTTP/1.1.
  const blob = content instanceof Blob ? content : await new Response(content).blob()
  const abort = () => request.abort()
  return new Promise<Response>((resolve, reject) => {
    request.open('PUT', url)
    request.upload.onprogress = ({ loaded }) => onSent(loaded)
    request.onload = () => {
      const { responseText, status, statusText } = request
      resolve(new Response(responseText, { status, statusText }))
    }
    request.onabort = request.onerror = () => reject(new Error('the upload was cut off'))
    gate.onShut = abort
    signal.addEventListener('abort', abort)
    signal.throwIfAborted()
    request.send(blob)
  }).finally(() => {
    gate.onShut = () => {}
    signal.removeEventListener('abort', abort)
  })
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
