import { allow, type Caller } from '../../base/caller.ts'
import { badRequest, forbidden, notFound } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { ProjectScope } from './resolve-project.ts'
import * as store from './store.ts'

export interface DeleteProjectDeps {
  sql: Sql
  /** Seconds for which it can be brought back. */
  trashSeconds: number
}

/** `confirm` repeats the project's name or id: everything in it goes, so a slip of the hand must not do. */
export async function deleteProject(
  caller: Caller,
  scope: ProjectScope,
  confirm: string | undefined,
  { sql, trashSeconds }: DeleteProjectDeps,
): Promise<void> {
  allow(caller, 'projects:delete', scope)
  // A key is in the hands of programs, and of whoever they lose it to.
  if (caller.kind === 'secret_key') throw forbidden("a project's own key cannot delete it: sign in as a user")
  const project = await store.findProject(sql, scope.orgId, scope.projectId)
  if (!project) throw notFound('no such project')
  if (confirm !== project.id && confirm !== project.name)
    throw badRequest(`confirm: repeat the project's name or its id, ?confirm=${project.id}`)
  if (!(await store.trashProject(sql, scope.orgId, project.id))) throw notFound('no such project')
  if (trashSeconds === 0) await store.purgeTrashed(sql, { seconds: 0, only: project.id })
}
