import { keptBySize } from '../../base/kept-by-size.ts'
import type { Plan } from '../../media/video/plan.ts'
import type { AudioFormat } from '../../media/video/probe-audio.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { tracksOfFile } from '../../videos/renditions.ts'
import type { Presentation } from './renditions.ts'
import { findPlan } from './store.ts'

/** Segments of all plans that are kept; of a day-long film there are some 20,000, of most a few hundred. */
const MAX_SEGMENTS = 200_000

/** Plans never change, so those asked for lately are kept; what was added to a video is read each time. */
export function presentations(sql: Sql) {
  const plans = keptBySize<Plan>(MAX_SEGMENTS)

  async function planOf(fileId: string): Promise<Plan | undefined> {
    const known = plans.get(fileId)
    const plan = known ?? (await findPlan(sql, fileId))
    if (!plan) return undefined
    plans.set(fileId, plan, plan.segments.length)
    return plan
  }

  return {
    planOf,
    async find(projectId: string, fileId: string): Promise<Presentation | undefined> {
      const plan = await planOf(fileId)
      if (!plan) return undefined
      const tracks = await tracksOfFile(sql, fileId)
      return {
        projectId,
        fileId,
        plan,
        tracks: tracks.map((track) => ({ ...track, format: track.format as AudioFormat })),
      }
    },
    forget(fileId: string): void {
      plans.drop(fileId)
    },
  }
}

export type Presentations = ReturnType<typeof presentations>
