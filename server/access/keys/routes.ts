import { Type } from 'typebox'
import { operation } from '../../http/operation.ts'
import { PageQuery } from '../../http/pagination.ts'
import { Id, ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { createKey, listKeys, revokeKey, rotateKey } from './keys.ts'
import { ApiKeyList, ApiKeyResult, NewKey, Rotation } from './schemas.ts'

const OfOrganization = Type.Object({ org_id: Id('organization') })
const OneKey = Type.Object({ org_id: Id('organization'), key_id: Id('key') })
const UNKNOWN = { 404: 'Not Found' }

export function keyRoutes(app: App, sql: Sql): void {
  app.get(
    '/organizations/:org_id/api-keys/v1',
    operation({
      tag: 'Keys',
      id: 'listKeys',
      summary: 'List the API keys of an organization',
      request: { params: OfOrganization, querystring: PageQuery },
      answers: { 200: ref(ApiKeyList) },
    }),
    (request) => listKeys(request.caller, request.params.org_id, request.query, sql),
  )

  app.post(
    '/organizations/:org_id/api-keys/v1',
    operation({
      tag: 'Keys',
      id: 'createKey',
      summary: 'Create an API key; its secret is in this answer and nowhere else',
      errors: UNKNOWN,
      request: { params: OfOrganization, body: NewKey },
      answers: { 201: ref(ApiKeyResult) },
    }),
    async (request, reply) => {
      const api_key = await createKey(request.caller, request.params.org_id, request.body, sql)
      return reply.code(201).send({ api_key })
    },
  )

  app.post(
    '/organizations/:org_id/api-keys/v1/:key_id/rotate',
    operation({
      tag: 'Keys',
      id: 'rotateKey',
      summary: 'Give a key a new secret; the old one works for `grace_seconds` more',
      errors: UNKNOWN,
      optionalBody: true,
      request: { params: OneKey, body: Rotation },
      answers: { 200: ref(ApiKeyResult) },
    }),
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
      id: 'revokeKey',
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
