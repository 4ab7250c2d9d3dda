import { allowWithin, type Caller } from '../../base/caller.ts'
import type { Page } from '../../http/pagination.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import * as store from './store.ts'

export async function listKeys(caller: Caller, orgId: string, page: Page, sql: Sql) {
  const onlyProject = allowWithin(caller, 'keys:read', orgId)
  return store.listKeys(sql, orgId, onlyProject, page)
}
