import type http from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { FileId } from '../../base/ids.ts'
import { operation } from '../../http/operation.ts'
import type { App } from '../../http/types.ts'
import type { AddressQuery } from '../address.ts'
import { MAX_BYTES } from '../limits.ts'
import type { ReceiveUploadDeps } from '../receive-upload.ts'
import { Params, Query, TheFile } from '../schemas.ts'
import {
  ABILITIES,
  bytesIn,
  CHUNK_TYPE,
  checksumIn,
  EXPOSED,
  expiresHeader,
  requireChunkType,
  requiredBytesIn,
  requireVersion,
  speaksTus,
  VERSION,
} from './headers.ts'
import {
  appendToUpload,
  createUpload,
  inspectResumable,
  terminateUpload,
  type UploadState,
} from './resume-upload.ts'

const tag = 'Uploads'
const Bytes = Type.String({ examples: ['48213'], description: 'a number of bytes' })
const Version = Type.String({ examples: [VERSION], description: `must be \`${VERSION}\`` })
export const TusHeaders = Type.Object({ 'tus-resumable': Type.Optional(Version) })
const ERRORS = {
  403: 'Forbidden',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  423: 'Locked',
}

export interface UploadRouteDeps extends ReceiveUploadDeps {
  /** The path under which the upload address is served here. */
  path: string
  /** The same as clients reach it. */
  uploadUrl: string
  silenceSeconds: number
}

/** A request to an upload address, as all of its operations have it. */
interface AddressedRequest {
  params: { fileId: FileId }
  query: AddressQuery
  headers: http.IncomingHttpHeaders
  raw: http.IncomingMessage
  body: unknown
}

const addressOf = ({ params, query }: AddressedRequest) => ({ fileId: params.fileId, query })

/** tus 1.0 at the addresses that init operations hand out, with creation at the address itself. */
export function tusRoutes(scope: App, deps: UploadRouteDeps): void {
  const url = `${deps.path}/:fileId`
  scope.addHook('onRequest', (_request, reply, done) => {
    // Pages of other origins may read these beside what all answers show them.
    const all = reply.getHeader('access-control-expose-headers')
    if (all) reply.header('access-control-expose-headers', `${all}, ${EXPOSED}`)
    reply.header('tus-resumable', VERSION)
    done()
  })

  const preflight = { cors: { preflightContinue: true } } as object
  scope.options(url, { schema: { hide: true }, config: preflight }, (request, reply) => {
    const { kind } = request.query as AddressQuery
    const most = MAX_BYTES[kind as keyof typeof MAX_BYTES] ?? MAX_BYTES.video
    reply.code(204).headers(ABILITIES).header('tus-max-size', most).send()
  })

  const create = operation({
    tag,
    id: 'createResumableUpload',
    summary: 'Begin a file at its upload address that may be sent with interruptions, by tus 1.0',
    description:
      'In place of what had arrived of another. A client that is given the address as the upload’s own (`uploadUrl`) may leave this out. `X-HTTP-Method-Override` makes it a PATCH or a DELETE, for networks that let neither pass.',
    credential: 'none',
    limit: 'none',
    streamsBody: true,
    errors: ERRORS,
    request: {
      params: Params,
      querystring: Query,
      headers: Type.Object({
        'tus-resumable': Type.Optional(Version),
        'upload-length': Type.Optional(Bytes),
        'upload-metadata': Type.Optional(Type.String({ description: 'not used: init was told the name' })),
      }),
    },
    sends: ['Location', 'Upload-Expires'],
    answers: { 201: Type.Null() },
  })
  scope.post(url, { ...create, bodyLimit: Number.MAX_SAFE_INTEGER }, async (request, reply) => {
    const instead = request.headers['x-http-method-override']
    if (instead === 'PATCH') return append(request, reply, deps)
    if (instead === 'DELETE') return terminate(request, reply, deps)
    requireVersion(request.headers)
    const length = requiredBytesIn(request.headers, 'upload-length')
    const { expires } = await createUpload(addressOf(request), length, deps)
    reply.code(201).header('location', `${deps.uploadUrl}${request.url.slice(deps.path.length)}`)
    return reply.header('upload-expires', expiresHeader(expires)).send(null)
  })

  const patch = operation({
    tag,
    id: 'appendToUpload',
    summary: 'Send more of a file to its upload address, by tus 1.0',
    description:
      'What has arrived stays, also where the request is cut off: `HEAD` tells where to go on. With `Upload-Checksum` it is all of the body or nothing.',
    credential: 'none',
    limit: 'none',
    streamsBody: true,
    errors: { ...ERRORS, 415: 'Unsupported Media Type', 460: 'Checksum Mismatch' },
    request: {
      params: Params,
      querystring: Query,
      headers: Type.Object({
        'tus-resumable': Type.Optional(Version),
        'upload-offset': Type.Optional(Bytes),
        'upload-length': Type.Optional(Bytes),
        'upload-checksum': Type.Optional(
          Type.String({
            description: '`sha1`, `sha256` or `md5`, a space, and the digest of the body in Base64',
          }),
        ),
      }),
    },
    sends: ['Upload-Offset', 'Upload-Expires'],
    answers: { 204: Type.Null() },
  })
  const described = { ...patch.schema, body: TheFile, consumes: [CHUNK_TYPE] }
  scope.patch(
    url,
    { ...patch, schema: described, bodyLimit: Number.MAX_SAFE_INTEGER },
    async (request, reply) => append(request, reply, deps),
  )

  const end = operation({
    tag,
    id: 'terminateUpload',
    summary: 'Give up what has arrived at an upload address',
    description:
      'What was begun is still awaited: the file may be sent again. To cancel it as a whole, delete the video or the image.',
    credential: 'none',
    limit: 'none',
    errors: ERRORS,
    request: { params: Params, querystring: Query, headers: TusHeaders },
    answers: { 204: Type.Null() },
  })
  scope.delete(url, end, async (request, reply) => terminate(request, reply, deps))
}

/** HEAD as tus wants it: where to go on. */
export async function answerOffset(
  request: AddressedRequest,
  reply: FastifyReply,
  deps: UploadRouteDeps,
): Promise<FastifyReply> {
  requireVersion(request.headers)
  const state = await inspectResumable(addressOf(request), deps)
  reply.header('content-length', state.offset).header('etag', `"tus-${state.offset}"`)
  return stateHeaders(reply, state).header('upload-length', state.length).send(null)
}

async function append(
  request: AddressedRequest,
  reply: FastifyReply,
  deps: UploadRouteDeps,
): Promise<FastifyReply> {
  const { headers, raw } = request
  requireVersion(headers)
  requireChunkType(headers)
  // A client may take its time, but not fall silent.
  raw.setTimeout(deps.silenceSeconds * 1000, () => raw.destroy())
  const chunk = {
    offset: requiredBytesIn(headers, 'upload-offset'),
    body: (request.body as Readable | undefined) ?? raw,
    size: bytesIn(headers, 'content-length'),
    length: bytesIn(headers, 'upload-length'),
    checksum: checksumIn(headers),
  }
  return stateHeaders(reply.code(204), await appendToUpload(addressOf(request), chunk, deps)).send(null)
}

async function terminate(
  request: AddressedRequest,
  reply: FastifyReply,
  deps: UploadRouteDeps,
): Promise<FastifyReply> {
  if (speaksTus(request.headers)) requireVersion(request.headers)
  await terminateUpload(addressOf(request), deps)
  return reply.code(204).send(null)
}

export function stateHeaders(
  reply: FastifyReply,
  { offset, expires }: Omit<UploadState, 'length'>,
): FastifyReply {
  return reply.header('upload-offset', offset).header('upload-expires', expiresHeader(expires))
}
