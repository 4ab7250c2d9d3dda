import type { Caller } from '../../base/caller.ts'
import { allowOperator } from '../../base/operator.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { organizationOfProject } from './store.ts'

export async function findOrganizationOfProject(
  caller: Caller,
  projectId: string,
  sql: Sql,
): Promise<string | undefined> {
  allowOperator(caller)
  return organizationOfProject(sql, projectId)
}
