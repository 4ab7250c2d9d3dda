import { Type } from 'typebox'
import { operation } from '../../http/operation.ts'
import { PageQuery } from '../../http/pagination.ts'
import { Id, ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { NewSigningKey, SigningKeyList, SigningKeyResult } from './schemas.ts'
import { createSigningKey, deleteSigningKey, listSigningKeys } from './signing-keys.ts'

const tag = 'Private media'
const BASE = '/organizations/:org_id/signing-keys/v1'
const OfOrganization = Type.Object({ org_id: Id('organization') })
const OneKey = Type.Object({ org_id: Id('organization'), signing_key_id: Id('signingKey') })
const UNKNOWN = { 404: 'Not Found' }

export function signingKeyRoutes(app: App, sql: Sql): void {
  app.get(
    BASE,
    operation({
      tag,
      id: 'listSigningKeys',
      summary: 'List the signing keys of an organization’s projects',
      request: { params: OfOrganization, querystring: PageQuery },
      answers: { 200: ref(SigningKeyList) },
    }),
    ({ caller, params, query }) => listSigningKeys(caller, params.org_id, query, sql),
  )

  app.post(
    BASE,
    operation({
      tag,
      id: 'createSigningKey',
      summary: 'Make a key for an app to sign tokens with, which open private media of a project',
      description:
        'The private half is in this answer and nowhere else. A project may have several, so that one can take the place of another without a gap.',
      errors: { ...UNKNOWN, 409: 'Conflict' },
      request: { params: OfOrganization, body: NewSigningKey },
      answers: { 201: ref(SigningKeyResult) },
    }),
    async ({ caller, params, body }, reply) => {
      const signing_key = await createSigningKey(caller, params.org_id, body, sql)
      return reply.code(201).send({ signing_key })
    },
  )

  app.delete(
    `${BASE}/:signing_key_id`,
    operation({
      tag,
      id: 'deleteSigningKey',
      summary: 'Delete a signing key; tokens that it has signed open nothing any more',
      errors: UNKNOWN,
      request: { params: OneKey },
      answers: { 204: Type.Null() },
    }),
    async ({ caller, params }, reply) => {
      await deleteSigningKey(caller, { orgId: params.org_id, id: params.signing_key_id }, sql)
      return reply.code(204).send(null)
    },
  )
}
