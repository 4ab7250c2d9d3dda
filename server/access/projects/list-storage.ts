import { allowWithin, type Caller } from '../../base/caller.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { storageOfProjects } from './store.ts'

/** How much each project of an organization keeps; of a key's, its own. */
export async function listStorage(caller: Caller, orgId: string, sql: Sql) {
  const onlyProject = allowWithin(caller, 'billing:read', orgId)
  return storageOfProjects(sql, orgId, onlyProject)
}
