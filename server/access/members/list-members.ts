import { allow, type Caller } from '../../base/caller.ts'
import type { Page } from '../../http/pagination.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import * as store from './store.ts'

export async function listMembers(caller: Caller, orgId: string, page: Page, sql: Sql) {
  allow(caller, 'members:read', { orgId })
  const { members, total } = await store.listMembers(sql, orgId, page)
  return { members, total, invitations: await store.listInvitations(sql, orgId) }
}
