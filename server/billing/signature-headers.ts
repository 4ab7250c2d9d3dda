import type { IncomingHttpHeaders } from 'node:http'
import { SIGNATURE_HEADERS, type SignatureHeaders } from './port.ts'

/** Those that are there, as one text each. */
export function signatureHeadersOf(headers: IncomingHttpHeaders): SignatureHeaders {
  return Object.fromEntries(
    SIGNATURE_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  )
}
