import type { Caller } from '../../base/caller.ts'
import { conflict, notFound, Refusal } from '../../base/errors.ts'
import { allowOperator } from '../../base/operator.ts'
import type { Due, TrashItem } from '../../base/trash.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { StorageDeps } from './require-storage.ts'
import * as store from './store.ts'

export async function listTrashedProjects(caller: Caller, sql: Sql): Promise<TrashItem[]> {
  allowOperator(caller)
  return store.listTrashed(sql)
}

/** A project with its keys and everything that was in it, but for a domain that another has proved meanwhile. */
export async function restoreProject(caller: Caller, projectId: string, sql: Sql): Promise<void> {
  allowOperator(caller)
  if (!(await store.restoreTrashed(sql, projectId))) throw notFound(`there is no ${projectId} in the trash`)
}

/** Projects whose time in the trash is over go with everything in them. */
export function purgeProjects(sql: Sql, due: Due): Promise<number> {
  return store.purgeTrashed(sql, due)
}

/** Throws 409 or 403 where something cannot come back into a project: it is in the trash itself, or full. */
export async function requireRoomFor(
  { projectId, bytes }: { projectId: string; bytes: number },
  { sql, storageLimits }: StorageDeps,
): Promise<void> {
  const usage = await store.projectUsage(sql, projectId)
  if (!usage) throw conflict(`its project ${projectId} is in the trash: restore that first`)
  const limit = storageLimits[usage.plan]
  if (bytes > 0 && usage.storage_used + bytes > limit)
    throw new Refusal(403, {
      title: 'Storage limit reached',
      details: `it takes ${bytes} bytes, and its project uses ${usage.storage_used} of ${limit}: delete something, or move the organization to another plan`,
    })
}
