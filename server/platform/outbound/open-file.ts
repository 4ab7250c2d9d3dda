import type http from 'node:http'
import { Readable } from 'node:stream'
import type { OutboundFile, OutboundStream } from './port.ts'

/** Fewer bytes than these in the time allowed for a silence are no better than none. */
const LEAST_BYTES = 4096

/** Waits for the answer to a request, and watches over its body. */
export function openFile(
  request: http.ClientRequest,
  { signal, silenceMs }: OutboundFile,
): Promise<OutboundStream> {
  return new Promise((resolve, reject) => {
    let response: http.IncomingMessage | undefined
    let bytes = 0
    const end = (error: Error) => (response ?? request).destroy(error)
    const abort = () => end(signal.reason as Error)
    const watch = setInterval(() => {
      if (!response) end(new Error(`no answer within ${silenceMs / 1000} seconds`))
      else if (bytes < LEAST_BYTES) end(new Error(`no bytes for ${silenceMs / 1000} seconds`))
      bytes = 0
    }, silenceMs)
    const over = () => {
      clearInterval(watch)
      signal.removeEventListener('abort', abort)
    }
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    request.on('error', (error) => {
      over()
      reject(error)
    })
    request.on('response', (answer) => {
      response = answer
      bytes = LEAST_BYTES
      answer.on('close', over)
      answer.on('data', (part: Buffer) => {
        bytes += part.length
      })
      resolve({ status: answer.statusCode ?? 0, headers: headersOf(answer), body: bodyOf(answer) })
    })
  })
}

/** So much may wait to be read before no more is taken. */
const WAITING_BYTES = 2 ** 20

/** What has come is read before a failure is: a body that is cut off would otherwise lose what nobody has read yet. */
function bodyOf(answer: http.IncomingMessage): Readable {
  const waiting: Buffer[] = []
  let bytes = 0
  let end: { failure?: Error } | undefined
  let wake = () => {}
  answer.on('data', (part: Buffer) => {
    waiting.push(part)
    bytes += part.length
    if (bytes > WAITING_BYTES) answer.pause()
    wake()
  })
  answer.on('end', () => {
    end ??= {}
    wake()
  })
  answer.on('error', (failure) => {
    end ??= { failure }
    wake()
  })

  /** The next part; null at the end. */
  async function next(): Promise<Buffer | null> {
    for (;;) {
      const part = waiting.shift()
      if (part) {
        bytes -= part.length
        if (bytes <= WAITING_BYTES) answer.resume()
        return part
      }
      if (end?.failure) throw end.failure
      if (end) return null
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  const body = new Readable({
    // Nothing is taken ahead of whoever reads: a failure ends the stream with all that it still holds.
    highWaterMark: 0,
    read() {
      next().then(
        (part) => body.push(part),
        (error) => body.destroy(error),
      )
    },
    destroy(error, done) {
      answer.destroy()
      done(error)
    },
  })
  // Nobody may be listening yet, or any more: whoever reads it is told.
  body.on('error', () => {})
  return body
}

export function headersOf({ headers }: http.IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
