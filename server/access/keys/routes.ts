import { Type } from 'typebox'
import { operation } from '../../http/operation.ts'
import { PageQuery } from '../../http/pagination.ts'
import { Id, ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { createKey } from './create-key.ts'
import { listKeys } from './list-keys.ts'
import { revokeKey } from './revoke-key.ts'
import { rotateKey } from './rotate-key.ts'
import { ApiKey, NewKey, Rotation } from './schemas.ts'

const OfOrganization = Type.Object({ org_id: Id('organization') })
const OneKey = Type.Object({ org_id: Id('organization'), key_id: Id('key') })
const Answer = Type.Object({ api_key: ref(ApiKey) })
const UNKNOWN = { 404: 'Not Found' }

export function keyRoutes(app: App, sql: Sql): void {
  app.addSchema(ApiKey)

  app.get(
    '/organizations/:org_id/api-keys/v1',
    operation({
      tag: 'Keys',
      summary: 'List the API keys of an organization',
      request: { params: OfOrganization, querystring: PageQuery },
      answers: { 200: Type.Object({ api_keys: Type.Array(ref(ApiKey)), total: Type.Integer() }) },
    }),
    (request) => listKeys(request.caller, request.params.org_id, request.query, sql),
  )

  app.post(
    '/organizations/:org_id/api-keys/v1',
    operation({
      tag: 'Keys',
      summary: 'Create an API key; its secret is in this answer and nowhere else',
      errors: UNKNOWN,
      request: { params: OfOrganization, body: NewKey },
      answers: { 201: Answer },
    }),
    async (request, reply) => {
      const api_key = await createKey(request.caller, request.params.org_id, request.body, sql)
      return reply.code(201).send({ api_key })
    },
  )

  app.post(
    '/organizations/:org_id/api-keys/v1/:key_id/rotate',
    {
      ...operation({
        tag: 'Keys',
        summary: 'Give a key a new secret; the old one works for `grace_seconds` more',
        errors: UNKNOWN,
        optionalBody: true,
        request: { params: OneKey, body: Rotation },
        answers: { 200: Answer },
      }),
      // All of the body is optional, so the body is too.
      preValidation: async (request) => {
        request.body ??= {}
      },
    },
    async (request) => {
      const { org_id: orgId, key_id: keyId } = request.params
      const graceSeconds = request.body.grace_seconds ?? 0
      return { api_key: await rotateKey(request.caller, { orgId, keyId, graceSeconds }, sql) }
    },
  )

  app.delete(
    '/organizations/:org_id/api-keys/v1/:key_id',
    operation({
      tag: 'Keys',
      summary: 'Revoke a key, at once and everywhere',
      errors: UNKNOWN,
      request: { params: OneKey },
      answers: { 204: Type.Null() },
    }),
    async (request, reply) => {
      await revokeKey(request.caller, request.params.org_id, request.params.key_id, sql)
      return reply.code(204).send(null)
    },
  )
}
