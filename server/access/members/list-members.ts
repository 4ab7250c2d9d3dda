import { allow, type Caller } from '../../base/caller.ts'
import type { Page } from '../../http/pagination.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import * as store from './store.ts'

/** Beside a page of members the first invitations; the others are in a list of their own. */
const INVITATIONS = { limit: 100, offset: 0 }

export async function listMembers(caller: Caller, orgId: string, page: Page, sql: Sql) {
  allow(caller, 'members:read', { orgId })
  const { members, total } = await store.listMembers(sql, orgId, page)
  const { invitations } = await store.listInvitations(sql, orgId, INVITATIONS)
  return { members, total, invitations }
}
