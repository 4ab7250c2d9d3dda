import type { Handler } from '../platform/jobs/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { findServable, settleFile } from '../uploads/files.ts'
import { prefixOf } from '../uploads/keys.ts'
import { type ConversionDeps, makeAvif } from './make-avif.ts'

export const OPTIMISE = 'optimise-image'

// Four times as slow as effort 0. Drawings and screenshots get a fifth smaller; many photographs do not, and stay.
const EFFORT = 2
const WORTH_IT = 0.95

interface Payload {
  projectId: string
  fileId: string
}

/** Looks for a smaller AVIF than the one made in a hurry, and serves it instead where it is worth it. */
export function optimiseImage(deps: ConversionDeps & { sql: Sql }): Handler<Payload> {
  return {
    attempts: 3,
    concurrency: 1,
    async run({ payload: { projectId, fileId } }) {
      const { sql, objects } = deps
      const served = await findServable(sql, projectId, fileId)
      if (!served) return
      const better = await makeAvif(
        { projectId, fileId, name: 'v2', effort: EFFORT, priority: 'background' },
        deps,
      )
      const replaced =
        better.size <= served.size * WORTH_IT &&
        (await sql.begin((tx) =>
          settleFile(tx, fileId, {
            format: 'avif',
            objectKey: better.objectKey,
            size: better.size,
            etag: better.etag,
            addedBytes: better.size - served.size,
            insteadOf: served.object_key,
          }),
        ))
      await objects.delete(replaced ? served.object_key : better.objectKey)
    },
    async giveUp({ projectId, fileId }) {
      await deps.objects.delete(`${prefixOf(projectId, fileId)}v2.avif`)
    },
  }
}
