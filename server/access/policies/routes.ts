import { Type } from 'typebox'
import { PERMISSIONS } from '../../base/permissions.ts'
import { operation } from '../../http/operation.ts'
import { orderedBy, partOf, partQuery } from '../../http/pagination.ts'
import { Id, ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { attachPolicy, detachPolicy, listAttachments } from './attachments.ts'
import { createPolicy, deletePolicy, listPolicies, showPolicy, updatePolicy } from './policies.ts'
import {
  Attachment,
  AttachmentList,
  NewAttachment,
  NewPolicy,
  PermissionList,
  Policy,
  PolicyChange,
  PolicyList,
} from './schemas.ts'

const tag = 'Policies'
const OfOrganization = Type.Object({ org_id: Id('organization') })
const OnePolicy = Type.Object({ org_id: Id('organization'), policy_id: Id('policy') })
const UNKNOWN = { 404: 'Not Found' }
const TAKEN = { 409: 'Conflict' }
const base = '/auth/v1/memberships/:org_id/policies'

export function policyRoutes(app: App, sql: Sql): void {
  app.get(
    '/auth/v1/policies/permissions',
    operation({
      tag,
      id: 'listPermissions',
      summary: 'Every permission there is',
      request: { querystring: partQuery(orderedBy('offset', 'asc')) },
      answers: { 200: ref(PermissionList) },
    }),
    async (request) => ({
      permissions: partOf(
        PERMISSIONS.map((name, offset) => ({ name, offset })),
        request.query,
      ),
    }),
  )

  app.get(
    base,
    operation({
      tag,
      id: 'listPolicies',
      summary: 'List the policies of an organization',
      request: { params: OfOrganization, querystring: partQuery() },
      answers: { 200: ref(PolicyList) },
    }),
    async (request) => ({
      policies: await listPolicies(request.caller, request.params.org_id, request.query, sql),
    }),
  )

  app.post(
    base,
    operation({
      tag,
      id: 'createPolicy',
      summary: 'Create a policy',
      errors: TAKEN,
      request: { params: OfOrganization, body: NewPolicy },
      answers: { 201: ref(Policy) },
    }),
    async (request, reply) =>
      reply.code(201).send(await createPolicy(request.caller, request.params.org_id, request.body, sql)),
  )

  app.get(
    `${base}/:policy_id`,
    operation({
      tag,
      id: 'getPolicy',
      summary: 'Show a policy',
      errors: UNKNOWN,
      request: { params: OnePolicy },
      answers: { 200: ref(Policy) },
    }),
    (request) => showPolicy(request.caller, request.params.org_id, request.params.policy_id, sql),
  )

  app.put(
    `${base}/:policy_id`,
    operation({
      tag,
      id: 'updatePolicy',
      summary: 'Update a policy; what is left out stays',
      errors: { ...UNKNOWN, ...TAKEN },
      request: { params: OnePolicy, body: PolicyChange },
      answers: { 200: ref(Policy) },
    }),
    (request) => {
      const { org_id: orgId, policy_id: policyId } = request.params
      return updatePolicy(request.caller, { orgId, policyId }, request.body, sql)
    },
  )

  app.delete(
    `${base}/:policy_id`,
    operation({
      tag,
      id: 'deletePolicy',
      summary: 'Delete a policy that restricts no key',
      errors: { ...UNKNOWN, ...TAKEN },
      request: { params: OnePolicy },
      answers: { 204: Type.Null() },
    }),
    async (request, reply) => {
      await deletePolicy(request.caller, request.params.org_id, request.params.policy_id, sql)
      return reply.code(204).send(null)
    },
  )

  app.get(
    `${base}/:policy_id/attachments`,
    operation({
      tag,
      id: 'listAttachments',
      summary: 'List whom a policy is attached to',
      errors: UNKNOWN,
      request: { params: OnePolicy, querystring: partQuery() },
      answers: { 200: ref(AttachmentList) },
    }),
    async (request) => {
      const { org_id: orgId, policy_id: policyId } = request.params
      const wanted = { orgId, policyId, part: request.query }
      return { attachments: await listAttachments(request.caller, wanted, sql) }
    },
  )

  app.post(
    `${base}/:policy_id/attachments`,
    operation({
      tag,
      id: 'attachPolicy',
      summary: 'Attach a policy to a member or a secret key',
      errors: UNKNOWN,
      request: { params: OnePolicy, body: NewAttachment },
      answers: { 201: ref(Attachment) },
    }),
    async (request, reply) => {
      const { org_id: orgId, policy_id: policyId } = request.params
      return reply.code(201).send(await attachPolicy(request.caller, { orgId, policyId }, request.body, sql))
    },
  )

  app.delete(
    `${base}/attachments/:attachment_id`,
    operation({
      tag,
      id: 'detachPolicy',
      summary: 'Detach a policy',
      errors: UNKNOWN,
      request: { params: Type.Object({ org_id: Id('organization'), attachment_id: Id('attachment') }) },
      answers: { 204: Type.Null() },
    }),
    async (request, reply) => {
      await detachPolicy(request.caller, request.params.org_id, request.params.attachment_id, sql)
      return reply.code(204).send(null)
    },
  )
}
