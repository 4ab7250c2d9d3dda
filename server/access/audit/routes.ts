import { Type } from 'typebox'
import { operation } from '../../http/operation.ts'
import { Id, ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { listAudit } from './audit.ts'
import { AuditPage, AuditQuery } from './schemas.ts'

export function auditRoutes(app: App, sql: Sql): void {
  app.get(
    '/organizations/:org_id/audit/v1',
    operation({
      tag: 'Audit',
      id: 'listAudit',
      summary:
        'List who changed which key, member, policy, plan, project, signing key, webhook or secret for sizes of images, the latest first',
      description: 'By `cursor`: what comes meanwhile moves nothing. Needs `members:read`.',
      request: { params: Type.Object({ org_id: Id('organization') }), querystring: AuditQuery },
      answers: { 200: ref(AuditPage) },
    }),
    ({ caller, params, query }) => listAudit(caller, params.org_id, query, sql),
  )
}
