import { Refusal } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { StorageLimits } from './show-current-project.ts'
import { projectUsage } from './store.ts'

export interface StorageDeps {
  sql: Sql
  storageLimits: StorageLimits
}

/** Throws 403 where a project has used up what its plan allows. */
export async function requireStorage(projectId: string, { sql, storageLimits }: StorageDeps): Promise<void> {
  const usage = await projectUsage(sql, projectId)
  if (usage && usage.storage_used >= storageLimits[usage.plan])
    throw new Refusal(403, { title: 'Storage limit reached' })
}
