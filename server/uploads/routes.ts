import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { notFound } from '../base/errors.ts'
import { operation } from '../http/operation.ts'
import { Id, named, ref } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import { inspectUpload, type ReceiveUploadDeps, receiveUpload } from './receive-upload.ts'

const tag = 'Uploads'
const Params = Type.Object({ fileId: Id('file') })
const Query = Type.Object({
  kind: Type.String(),
  max: Type.String(),
  expires: Type.String(),
  signature: Type.String({ description: 'over the path and the other parameters: use the address as it is' }),
})
const UploadReceipt = named(
  'UploadReceipt',
  Type.Object({ size: Type.Integer({ description: 'bytes that have arrived' }) }),
  { size: 48213 },
)
const TheFile = Type.Unsafe<string>({ type: 'string', format: 'binary', description: 'the file, as it is' })
/** To describe it by; whatever type a client says is taken. */
const TYPES = ['application/octet-stream', 'image/*', 'video/*']
const ERRORS = { 403: 'Forbidden', 409: 'Conflict', 413: 'Payload Too Large' }

/** The addresses that init operations hand out where files are kept on disk. */
export function uploadRoutes(
  deps: ReceiveUploadDeps & { path: string; silenceSeconds: number },
): (app: App) => void {
  return (app) => {
    app.register(async (inner) => {
      const scope = inner as App
      // The body is a file: it is streamed on as it comes, whatever type the client says it has.
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

      const usual = scope.validatorCompiler!
      scope.setValidatorCompiler((route) => {
        if (route.httpPart === 'body') return () => true
        // An address of which something is missing was changed, like one in which something differs: 403.
        if (route.httpPart !== 'querystring') return usual(route)
        return usual({ ...route, schema: { ...(route.schema as object), required: [] } })
      })

      const upload = operation({
        tag,
        id: 'uploadFile',
        summary: 'Send a file to the address that an init operation gave',
        credential: 'none',
        limit: 'none',
        streamsBody: true,
        errors: ERRORS,
        request: { params: Params, querystring: Query },
        sends: ['ETag'],
        answers: { 200: ref(UploadReceipt) },
      })
      scope.put(
        `${deps.path}/:fileId`,
        {
          ...upload,
          schema: { ...upload.schema, body: TheFile, consumes: TYPES },
          bodyLimit: Number.MAX_SAFE_INTEGER,
        },
        async (request, reply) => {
          // A client may take its time, but not fall silent.
          request.raw.setTimeout(deps.silenceSeconds * 1000, () => request.raw.destroy())
          const declared = request.headers['content-length']
          const { size, etag } = await receiveUpload(
            {
              fileId: request.params.fileId,
              query: request.query,
              body: (request.body as unknown as Readable | undefined) ?? request.raw,
              length: declared === undefined ? undefined : Number(declared),
            },
            deps,
          )
          reply.header('etag', etag)
          return { size }
        },
      )

      const ask = operation({
        tag,
        id: 'headUpload',
        summary: 'Ask what has arrived at an upload address',
        credential: 'none',
        limit: 'none',
        errors: { ...ERRORS, 404: 'Not Found' },
        request: { params: Params, querystring: Query },
        sends: ['ETag', 'Content-Length'],
        answers: { 200: Type.Null() },
      })
      scope.head(
        `${deps.path}/:fileId`,
        // Only a HEAD that comes with a GET goes without saying.
        { ...ask, config: { ...ask.config, swagger: { exposeHeadRoute: true } } },
        async (request, reply) => {
          const arrived = await inspectUpload(request.params.fileId, request.query, deps)
          if (!arrived) throw notFound()
          return reply.header('content-length', arrived.size).header('etag', arrived.etag).send(null)
        },
      )
    })
  }
}
