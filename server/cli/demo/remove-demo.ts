import { setTimeout as sleep } from 'node:timers/promises'
import { deleteProject, findOrganizationOfProject, purgeProjects } from '../../access/index.ts'
import { ERASE_EVENTS } from '../../analytics/index.ts'
import { OPERATOR } from '../../base/caller.ts'
import { countGarbage, gatherCounts } from '../../uploads/index.ts'
import type { Context } from '../command.ts'
import { purgeDepsOf } from '../trash-commands.ts'
import { progressOn, type StepLines } from './progress.ts'
import { keptState } from './state.ts'

export interface RemoveOptions {
  context: Context
  dataDir: string
  url: string
}

export interface Removal {
  /** The project that is gone; none where there was no demo. */
  removed: string | undefined
  /** Whether bytes and events are gone as well; the service does that, at its next start where it does not run. */
  isAllGone: boolean
}

/** Longer than a service waits between two sweeps. */
const PATIENCE_MS = 150_000

/** Takes a demo away, also half of one, with its files, rows, objects and events. It does not go into the trash. */
export async function removeDemo({ context, dataDir, url }: RemoveOptions): Promise<Removal> {
  const kept = keptState(dataDir)
  const projectId = kept.read()?.project_id
  if (!projectId) {
    kept.remove()
    return { removed: undefined, isAllGone: true }
  }
  const { sql } = context
  const deps = { ...purgeDepsOf(context), trashSeconds: 0 }
  const orgId = await findOrganizationOfProject(OPERATOR, projectId, sql)
  if (orgId) await deleteProject(OPERATOR, { orgId, projectId }, projectId, deps)
  // Where somebody has deleted it, it may be in the trash.
  else await purgeProjects(deps, { seconds: 0, only: projectId })
  await gatherCounts(sql)
  kept.remove()

  const left = async () => {
    const jobs = await context.jobs.list({ queue: ERASE_EVENTS.name })
    return (await countGarbage(sql, projectId)) + jobs.filter(({ key }) => key === projectId).length
  }
  return { removed: projectId, isAllGone: await untilGone(left, url, progressOn()) }
}

async function untilGone(left: () => Promise<number>, url: string, progress: StepLines): Promise<boolean> {
  const first = await left()
  const isRunning = await fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
  for (const deadline = Date.now() + PATIENCE_MS; isRunning && Date.now() < deadline; await sleep(200)) {
    const now = await left()
    if (now === 0) break
    progress.show('bytes and events go with the next sweep', 1 - now / Math.max(first, now))
  }
  const isAllGone = (await left()) === 0
  if (isAllGone) progress.done('Everything is gone, bytes and events included.')
  return isAllGone
}
