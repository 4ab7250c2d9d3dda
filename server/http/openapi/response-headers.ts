import type { OperationConfig } from '../operation.ts'

interface ResponseHeader {
  description: string
  /** Whether it is on every answer that it is described for. */
  required: boolean
  schema: { type: 'string' | 'integer'; format?: string }
  example: string | number
}

const TEXT = { type: 'string' } as const

/** The headers that clients can make use of. What protects browsers is on every answer, and said nowhere. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'the request’s own, where it has a sensible one; else a new one. Log lines have it.',
    required: true,
    schema: TEXT,
    example: 'req_01k9z3v5q8c7m2x4n6b1d0f3gh',
  },
  'RateLimit-Policy': {
    description:
      'each ceiling that the request counts against (`q` in `w` seconds); absent where there is none',
    required: false,
    schema: TEXT,
    example: '"key";q=1000;w=60, "minute";q=50;w=60',
  },
  RateLimit: {
    description: 'what is left of each ceiling (`r`), and for how many seconds it is counted (`t`)',
    required: false,
    schema: TEXT,
    example: '"key";r=999;t=60, "minute";r=49;t=60',
  },
  'Retry-After': {
    description: 'seconds to wait before the request is sent again',
    required: true,
    schema: { type: 'integer' },
    example: 1,
  },
  ETag: {
    description: 'of what is answered, strong; for `If-None-Match`, `If-Match` and `If-Range`',
    required: true,
    schema: TEXT,
    example: '"5d41402abc4b2a76"',
  },
  'Last-Modified': {
    description: 'when what is delivered was last changed; for `If-Modified-Since` and its kin',
    required: true,
    schema: TEXT,
    example: 'Mon, 04 May 2026 09:30:00 GMT',
  },
  'Cache-Control': {
    description: 'who may keep the answer, and for how long',
    required: true,
    schema: TEXT,
    example: 'public, max-age=3600, stale-while-revalidate=86400',
  },
  'Accept-Ranges': {
    description: 'parts can be asked for by `Range`',
    required: true,
    schema: TEXT,
    example: 'bytes',
  },
  'Content-Range': {
    description: 'which bytes of how many these are; of a range that cannot be, how many there are',
    required: true,
    schema: TEXT,
    example: 'bytes 0-499/48213',
  },
  'Content-Length': {
    description: 'bytes that are there',
    required: true,
    schema: { type: 'integer' },
    example: 48213,
  },
  'Content-Disposition': {
    description: 'the name to keep it by',
    required: true,
    schema: TEXT,
    example: 'attachment; filename="harbour.mp4"; filename*=UTF-8\'\'harbour.mp4',
  },
  Location: {
    description: 'where the client goes next',
    required: true,
    schema: TEXT,
    example: 'http://localhost:8080/console',
  },
  'Upload-Offset': {
    description: 'tus: bytes that have arrived and stay; where to go on',
    required: true,
    schema: { type: 'integer' },
    example: 8388608,
  },
  'Upload-Length': {
    description: 'tus: bytes of the whole file; where nobody has said it, the most that is taken',
    required: true,
    schema: { type: 'integer' },
    example: 48213,
  },
  'Upload-Expires': {
    description: 'tus: when the address stops working',
    required: true,
    schema: TEXT,
    example: 'Mon, 04 May 2026 10:30:00 GMT',
  },
  Vary: {
    description: 'headers of the request that the answer depends on',
    required: true,
    schema: TEXT,
    example: 'Accept',
  },
} as const satisfies Record<string, ResponseHeader>

export type HeaderName = keyof typeof RESPONSE_HEADERS

type Sender = Pick<OperationConfig, 'credential' | 'limit' | 'sends'>

/** Those of an operation's answer with a status. */
export function headersOfAnswer(status: number, { credential, limit, sends }: Sender): HeaderName[] {
  const names: HeaderName[] = ['X-Request-Id']
  if (limit !== 'none' && isCounted(status, credential)) names.push('RateLimit-Policy', 'RateLimit')
  if (status === 429 || status === 503) names.push('Retry-After')
  if (status < 400) names.push(...sends)
  if (status === 206 || status === 416) names.push('Content-Range')
  return names
}

/** Those of the answers of most operations. */
export function usualHeaders(status: number): HeaderName[] {
  return headersOfAnswer(status, { credential: 'any', limit: 'api', sends: [] })
}

/** Who could not say who they are is refused before anything is counted; and when an engine is away, nothing may be. */
function isCounted(status: number, credential: OperationConfig['credential']): boolean {
  return status < 500 && !(status === 401 && credential !== 'none')
}
