import { Type } from 'typebox'
import { ProjectHeader, projectOf } from '../../access/index.ts'
import { operation } from '../../http/operation.ts'
import { PageQuery } from '../../http/pagination.ts'
import { ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { SizeOptions } from './option-schemas.ts'
import { deletePreset, listPresets, putPreset } from './presets.ts'
import { Preset, PresetList, PresetName, SigningSecret } from './schemas.ts'
import { rotateSigningSecret, showSigningSecret } from './signing.ts'

const tag = 'Images'
const OnePreset = Type.Object({ name: PresetName })

/** Sizes that have a name, and what the others are signed by. */
export function sizeRoutes({ sql }: { sql: Sql }): (app: App) => void {
  return (app) => {
    app.get(
      '/images/presets',
      operation({
        tag,
        id: 'listImagePresets',
        summary: 'List the presets of the project: sizes of images that have a name',
        request: { headers: ProjectHeader, querystring: PageQuery },
        answers: { 200: ref(PresetList) },
      }),
      async (request) => {
        const { limit, offset } = request.query
        const scope = await projectOf(request, sql)
        const { rows, total } = await listPresets(request.caller, scope, request.query, sql)
        return { data: rows, pagination: { limit, offset, total } }
      },
    )

    app.put(
      '/images/presets/:name',
      operation({
        tag,
        id: 'putImagePreset',
        summary: 'Set a preset, in place of the one of its name',
        description:
          'Every image of the project has it from then on, under `?preset=name`. A copy that a browser or a CDN has of the one before may be used for another hour. 409 where the project has 200 others.',
        errors: { 409: 'Conflict' },
        request: { headers: ProjectHeader, params: OnePreset, body: SizeOptions },
        answers: { 200: ref(Preset) },
      }),
      async (request) => {
        const preset = { name: request.params.name, options: request.body }
        return putPreset(request.caller, await projectOf(request, sql), preset, sql)
      },
    )

    app.delete(
      '/images/presets/:name',
      operation({
        tag,
        id: 'deleteImagePreset',
        summary: 'Delete a preset',
        errors: { 404: 'Preset not found' },
        request: { headers: ProjectHeader, params: OnePreset },
        answers: { 204: Type.Null() },
      }),
      async (request, reply) => {
        await deletePreset(request.caller, await projectOf(request, sql), request.params.name, sql)
        return reply.code(204).send(null)
      },
    )

    app.get(
      '/images/signing-secret',
      operation({
        tag,
        id: 'getImageSigningSecret',
        summary: 'Show what the project signs sizes of images by',
        description:
          'Where the service runs with `MARQUEE_SIZES=signed`, a size that is no preset has to carry a `signature`: HMAC-SHA-256 by this secret, in base64url, over `/{project_id}/{file_id}?{query}`, the query without the signature and sorted by its names. `signAddress` of `@marquee/client/pictures` does it.',
        request: { headers: ProjectHeader },
        answers: { 200: ref(SigningSecret) },
      }),
      async (request) => showSigningSecret(request.caller, await projectOf(request, sql), sql),
    )

    app.post(
      '/images/signing-secret/rotate',
      operation({
        tag,
        id: 'rotateImageSigningSecret',
        summary: 'Make a new secret to sign sizes by; what the one before has signed no longer counts',
        request: { headers: ProjectHeader },
        answers: { 200: ref(SigningSecret) },
      }),
      async (request) => rotateSigningSecret(request.caller, await projectOf(request, sql), sql),
    )
  }
}
