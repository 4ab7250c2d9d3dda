import { Refusal } from '../../base/errors.ts'
import type { FileId, ProjectId } from '../../base/ids.ts'
import type { Handler } from '../../platform/jobs/port.ts'
import type { FileKind } from '../address.ts'
import { ImportFailed, ImportGone } from './errors.ts'
import { type FetchDeps, fetchImport } from './fetch-import.ts'
import { deleteImport, failImport, findImport } from './store.ts'

const REASON = 'it could not be imported'

/** The job of an import: what an upload and its completion are otherwise, by the service itself. */
export function runImport<Payload extends { projectId: ProjectId; fileId: FileId }>(
  kind: FileKind,
  complete: (payload: Payload) => Promise<unknown>,
  /** `stopping` is aborted when the service stops: the next one goes on. */
  deps: FetchDeps & { stopping: AbortSignal },
): Handler<Payload> {
  const { sql } = deps
  return {
    attempts: 5,
    concurrency: 3,
    async run({ payload, signal, progressed }) {
      const { projectId, fileId } = payload
      const found = await findImport(sql, fileId)
      if (!found || found.failure !== null) return
      try {
        const ending = AbortSignal.any([signal, deps.stopping])
        await fetchImport({ projectId, fileId, kind, signal: ending, progressed }, deps)
        await complete(payload)
        await deleteImport(sql, fileId)
      } catch (error) {
        if (error instanceof ImportGone || isRefused(error, 404)) return
        if (error instanceof ImportFailed) await failImport(sql, fileId, error.message)
        else if (isRefused(error, 400)) await failImport(sql, fileId, error.details ?? REASON)
        else throw error
      }
    },
    giveUp: ({ fileId }) => failImport(sql, fileId, REASON),
  }
}

const isRefused = (error: unknown, status: number): error is Refusal =>
  error instanceof Refusal && error.status === status
