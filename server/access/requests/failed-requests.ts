import { allowWithin, type Caller } from '../../base/caller.ts'
import type { OrganizationId } from '../../base/ids.ts'
import type { Page } from '../../http/pagination.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { FailedRequests } from './note-failed.ts'
import type { FailedRequestList } from './schemas.ts'
import { type KeptFailedRow, listFailed } from './store.ts'

export interface FailedRequestDeps {
  sql: Sql
  failedRequests: FailedRequests
}

/** What of an organization's requests failed last; to a key, those of the keys of its project. */
export async function listFailedRequests(
  caller: Caller,
  orgId: OrganizationId,
  page: Page,
  { sql, failedRequests }: FailedRequestDeps,
): Promise<FailedRequestList> {
  const onlyProject = allowWithin(caller, 'keys:read', orgId)
  // What this process has answered before is in the list.
  await failedRequests.flush()
  const { rows, total } = await listFailed(sql, orgId, onlyProject, page)
  return { data: rows.map(toFailed), pagination: { ...page, total } }
}

function toFailed({ caller, route, details, ...row }: KeptFailedRow): FailedRequestList['data'][number] {
  return {
    ...row,
    route: route.replaceAll(/:(\w+)/g, '{$1}'),
    ...(details !== null && { details }),
    ...(caller.startsWith('key_') ? { key_id: caller } : { user_id: caller }),
  }
}
