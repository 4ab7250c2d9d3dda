import { queries } from '../api.ts'
import { allSteps, isStarted } from '../pages/start/progress.ts'
import { permissionsIn } from '../session/permissions.ts'
import { projectsQuery, userQuery } from '../session/queries.ts'
import { type PageId, pagesFor } from './pages.ts'

/** Where a project opens: at its start page as long as there is something to do there, then at the first page one may see. */
export async function landingOf(projectId: string): Promise<PageId> {
  const [user, projects] = await Promise.all([
    queries.ensureQueryData(userQuery()),
    queries.ensureQueryData(projectsQuery()),
  ])
  const may = permissionsIn(user, projects.find(({ id }) => id === projectId)?.org_id)
  const [first, ...others] = pagesFor(may).map(({ id }) => id)
  if (first !== 'start') return first!
  return isStarted(projectId) || (await areDone(projectId, may)) ? others[0]! : 'start'
}

/** Where it cannot be found out, nobody is kept from their work by it. */
async function areDone(projectId: string, may: (permission: string) => boolean): Promise<boolean> {
  const steps = await allSteps(queries, projectId, may).catch(() => [])
  return steps.every(({ isDone }) => isDone)
}
