import { AddressNotAllowed } from '../../platform/outbound/errors.ts'
import type { Outbound, OutboundStream } from '../../platform/outbound/port.ts'
import { ImportFailed } from './errors.ts'

const MOST_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]
/** What a later try may find otherwise. */
const PASSING = [408, 425, 429]

export interface Resumption {
  offset: number
  validator: string
}

export interface OpenSource {
  body: OutboundStream['body']
  /** Where the body begins in the file: 0 unless the server goes on where it was. */
  offset: number
  /** Of the whole file, where the server says so. */
  size: number | undefined
  /** By which a later request can tell that it is about the same file. */
  validator: string | undefined
}

/** Asks for a file, or for the rest of one that has not changed since. Each redirection is checked as the address was. */
export async function openSource(
  url: string,
  resumption: Resumption | undefined,
  { outbound, signal, silenceMs }: { outbound: Outbound; signal: AbortSignal; silenceMs: number },
): Promise<OpenSource> {
  const headers = {
    // As it is: what a server compresses on the way could not be continued.
    'accept-encoding': 'identity',
    'user-agent': 'Marquee',
    ...(resumption && { range: `bytes=${resumption.offset}-`, 'if-range': resumption.validator }),
  }
  let address = url
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const answer = await outbound.open({ url: address, headers, signal, silenceMs }).catch((error) => {
      throw error instanceof AddressNotAllowed ? new ImportFailed(error.message) : error
    })
    const { location } = answer.headers
    if (!REDIRECTS.includes(answer.status) || location === undefined) return readSource(answer, resumption)
    answer.body.destroy()
    if (!URL.canParse(location, address)) throw new ImportFailed('it is redirected to what is no address')
    address = new URL(location, address).href
  }
  throw new ImportFailed(`it is redirected more than ${MOST_REDIRECTS} times`)
}

function readSource(
  { status, headers, body }: OutboundStream,
  resumption: Resumption | undefined,
): OpenSource {
  try {
    const encoding = headers['content-encoding']
    if (encoding && encoding !== 'identity') throw new ImportFailed('its server sends it compressed')
    const validator = validatorOf(headers)
    if (status === 200) return { body, offset: 0, size: bytesIn(headers['content-length']), validator }
    if (status === 206 && resumption)
      return { body, ...rangeOf(headers['content-range'], resumption), validator }
    // Nothing is left, or nothing can be said about what is: the whole is asked for again.
    if (status === 416 && resumption) throw new RangeRefused()
    const answered = `its server answered ${status}`
    throw status >= 500 || PASSING.includes(status) ? new Error(answered) : new ImportFailed(answered)
  } catch (error) {
    body.destroy()
    throw error
  }
}

/** What has arrived is of no use: it has to be fetched from its beginning. */
export class RangeRefused extends Error {}

function rangeOf(
  header: string | undefined,
  { offset }: Resumption,
): { offset: number; size: number | undefined } {
  const [, start, size] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header ?? '') ?? []
  if (Number(start) !== offset) throw new RangeRefused()
  return { offset, size: bytesIn(size) }
}

/** RFC 9110, 13.1.5: only a strong one may be asked with; a date is as good as the second it names. */
function validatorOf(headers: Record<string, string>): string | undefined {
  const { etag, 'last-modified': date } = headers
  return etag?.startsWith('"') ? etag : date
}

const bytesIn = (text: string | undefined) => (text && /^\d{1,15}$/.test(text) ? Number(text) : undefined)
