import type { FileId, ProjectId } from '../base/ids.ts'
import { UnsupportedImage } from '../media/images/errors.ts'
import { defineQueue, type Handler } from '../platform/jobs/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { encodingKey, fileExists, findServable, isGone, settleFile } from '../uploads/index.ts'
import { type ConversionDeps, FAST, makeAvif, SMALL } from './make-avif.ts'

// Four times as slow as effort 0. Drawings and screenshots get a fifth smaller; many photographs do not, and stay.
const EFFORT = 2
const WORTH_IT = 0.95

interface OptimisePayload {
  projectId: ProjectId
  fileId: FileId
}

export const OPTIMISE = defineQueue<OptimisePayload>('optimise-image')

/** Looks for a smaller AVIF than the one made in a hurry, and serves it instead where it is worth it. */
export function optimiseImage(deps: ConversionDeps & { sql: Sql }): Handler<OptimisePayload> {
  return {
    attempts: 3,
    concurrency: 1,
    async run({ payload: { projectId, fileId } }) {
      const { sql } = deps
      const served = await findServable(sql, projectId, fileId)
      // Replaced already, by a worker that was killed before it could say so: its result must not be judged again.
      if (served && served.object_key === encodingKey(projectId, fileId, FAST)) {
        const better = await makeAvif(
          { projectId, fileId, name: SMALL, effort: EFFORT, priority: 'background' },
          deps,
        ).catch(async (error) => {
          // More work than is allowed for it: the one that is served stays, and another try would cost the same.
          if (error instanceof UnsupportedImage || (await isGone(sql, projectId, fileId))) return undefined
          throw error
        })
        if (better && better.size <= served.size * WORTH_IT)
          await sql.begin((tx) =>
            settleFile(tx, fileId, {
              format: 'avif',
              objectKey: better.objectKey,
              size: better.size,
              etag: better.etag,
              addedBytes: better.size - served.size,
              insteadOf: served.object_key,
            }),
          )
      }
      await removeUnserved({ projectId, fileId }, deps)
    },
    giveUp: (payload) => removeUnserved(payload, deps),
  }
}

/** Keeps the encoding that is served, whichever that is by now, and removes the other. */
async function removeUnserved(
  { projectId, fileId }: OptimisePayload,
  { sql, objects }: ConversionDeps & { sql: Sql },
): Promise<void> {
  const served = await findServable(sql, projectId, fileId)
  // In the trash, from which it may come back.
  if (!served && (await fileExists(sql, fileId))) return
  for (const name of [FAST, SMALL]) {
    const key = encodingKey(projectId, fileId, name)
    if (key !== served?.object_key) await objects.delete(key)
  }
}
