import { allow, type Caller } from '../../base/caller.ts'
import type { Page } from '../../http/pagination.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import * as store from './store.ts'

/** Those that can still be accepted. */
export async function listInvitations(caller: Caller, orgId: string, page: Page, sql: Sql) {
  allow(caller, 'members:read', { orgId })
  return store.listInvitations(sql, orgId, page)
}
