import type { IncomingHttpHeaders } from 'node:http'
import { SIGNATURE_HEADERS, type SignatureHeaders } from './port.ts'

/** Those that are there, as one text each. */
export function signatureHeadersOf(headers: IncomingHttpHeaders): SignatureHeaders {
  const found: SignatureHeaders = {}
  for (const name of SIGNATURE_HEADERS) if (headers[name] !== undefined) found[name] = String(headers[name])
  return found
}
