import type { IncomingHttpHeaders } from 'node:http'
import { badRequest, Refusal } from '../../base/errors.ts'

/** tus 1.0, https://tus.io/protocols/resumable-upload, in its headers. */

export const VERSION = '1.0.0'
/** Those that every server knows by name; SHA-1 has to be among them. */
const ALGORITHMS = ['sha1', 'sha256', 'md5']
export const CHUNK_TYPE = 'application/offset+octet-stream'

/** What this server can do, as OPTIONS answers it. */
export const ABILITIES = {
  'tus-version': VERSION,
  'tus-extension': 'creation,checksum,expiration,termination',
  'tus-checksum-algorithm': ALGORITHMS.join(','),
}

/** Headers that pages may read, beside those of every answer. */
export const EXPOSED = [
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Checksum-Algorithm',
  'Upload-Offset',
  'Upload-Length',
  'Upload-Expires',
].join(', ')

export const speaksTus = (headers: IncomingHttpHeaders) => headers['tus-resumable'] !== undefined

export function requireVersion(headers: IncomingHttpHeaders): void {
  if (headers['tus-resumable'] === VERSION) return
  const details = `say Tus-Resumable: ${VERSION}`
  throw new Refusal(412, { details, headers: { 'tus-version': VERSION } })
}

export function requireChunkType(headers: IncomingHttpHeaders): void {
  if (headers['content-type'] !== CHUNK_TYPE)
    throw new Refusal(415, { details: `send the bytes as ${CHUNK_TYPE}` })
}

/** A number of bytes in a header; undefined where it is not there. */
export function bytesIn(headers: IncomingHttpHeaders, name: string): number | undefined {
  const text = headers[name]
  if (text === undefined) return undefined
  const bytes = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(bytes)) throw badRequest(`${name}: must be a number of bytes`)
  return bytes
}

export function requiredBytesIn(headers: IncomingHttpHeaders, name: string): number {
  const bytes = bytesIn(headers, name)
  if (bytes === undefined) throw badRequest(`${name}: must be there`)
  return bytes
}

export interface Checksum {
  algorithm: string
  digest: Buffer
}

export function checksumIn(headers: IncomingHttpHeaders): Checksum | undefined {
  const text = headers['upload-checksum']
  if (text === undefined) return undefined
  const [algorithm = '', digest = ''] = String(text).split(' ')
  if (!ALGORITHMS.includes(algorithm))
    throw badRequest(`upload-checksum: must be of ${ALGORITHMS.join(', ')}, then a space and Base64`)
  return { algorithm, digest: Buffer.from(digest, 'base64') }
}

/** As HTTP writes a time. */
export const expiresHeader = (expires: number) => new Date(expires * 1000).toUTCString()
