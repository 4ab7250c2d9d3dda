import type { Caller } from '../../base/caller.ts'
import type { Part } from '../../http/pagination.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { Attachment } from './schemas.ts'
import { showPolicy } from './show-policy.ts'
import * as store from './store.ts'

export async function listAttachments(
  caller: Caller,
  { orgId, policyId, part }: { orgId: string; policyId: string; part: Part },
  sql: Sql,
): Promise<Attachment[]> {
  const policy = await showPolicy(caller, orgId, policyId, sql)
  return store.listAttachments(sql, policy.id, part)
}
