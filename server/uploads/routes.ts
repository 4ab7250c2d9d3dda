import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { notFound } from '../base/errors.ts'
import { operation } from '../http/operation.ts'
import { ref } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import { inspectUpload, receiveUpload } from './receive-upload.ts'
import { Params, Query, TheFile, UploadReceipt } from './schemas.ts'
import { speaksTus } from './tus/headers.ts'
import { answerOffset, stateHeaders, TusHeaders, tusRoutes, type UploadRouteDeps } from './tus/routes.ts'

const tag = 'Uploads'
/** To describe it by; whatever type a client says is taken. */
const TYPES = ['application/octet-stream', 'image/*', 'video/*']
const ERRORS = { 403: 'Forbidden', 409: 'Conflict', 413: 'Payload Too Large' }

/** The addresses that init operations hand out: a file by one PUT, or by tus. */
export function uploadRoutes(deps: UploadRouteDeps): (app: App) => void {
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

      tusRoutes(scope, deps)

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
          // Whatever a client says, or says wrong: it is a file.
          onRequest: async ({ headers }) => {
            if (headers['content-type'] !== undefined) headers['content-type'] = TYPES[0]
          },
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
        description:
          'With `Tus-Resumable` also of a part: `Upload-Offset` is where to go on. Without it only of a whole file; of none it is a 404.',
        credential: 'none',
        limit: 'none',
        errors: { ...ERRORS, 404: 'Not Found', 410: 'Gone', 412: 'Precondition Failed' },
        request: { params: Params, querystring: Query, headers: TusHeaders },
        sends: ['ETag', 'Content-Length', 'Upload-Offset', 'Upload-Length', 'Upload-Expires'],
        answers: { 200: Type.Null() },
      })
      scope.head(
        `${deps.path}/:fileId`,
        // Only a HEAD that comes with a GET goes without saying.
        { ...ask, config: { ...ask.config, swagger: { exposeHeadRoute: true } } },
        async (request, reply) => {
          if (speaksTus(request.headers)) return answerOffset(request, reply, deps)
          const arrived = await inspectUpload(request.params.fileId, request.query, deps)
          if (!arrived) throw notFound()
          const { size, etag, expires } = arrived
          reply.header('content-length', size).header('etag', etag)
          return stateHeaders(reply, { offset: size, expires }).header('upload-length', size).send(null)
        },
      )
    })
  }
}
