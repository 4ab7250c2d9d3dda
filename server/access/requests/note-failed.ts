import type { FailedRequest, NoteFailed } from '../../base/failed-request.ts'
import { isOutage, type Sql } from '../../platform/postgres/client.ts'
import { type FailedRow, insertFailed, trimFailed } from './store.ts'

const FLUSH_EVERY_MS = 2000
/** Between two writes: of one organization, and of all together. Under a flood, the latest of each are kept. */
const MOST_EACH = 50
const MOST = 2000

export interface FailedRequests {
  note: NoteFailed
  /** Resolves once what was noted before is written down, as far as that is possible now. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Keeps the requests that failed in memory and writes them down in batches: no request waits for it or fails by it. */
export function noteFailed(sql: Sql, onError: (error: unknown) => void): FailedRequests {
  let waiting = new Map<string, FailedRow[]>()
  let count = 0
  let flushing: Promise<void> = Promise.resolve()

  function add(owner: string, row: FailedRow): void {
    const rows = waiting.get(owner) ?? []
    const isFull = rows.length >= MOST_EACH || count >= MOST
    if (isFull && rows.length === 0) return
    if (isFull) rows.shift()
    else count++
    rows.push(row)
    waiting.set(owner, rows)
  }

  async function write(): Promise<void> {
    if (count === 0) return
    const taken = waiting
    waiting = new Map()
    count = 0
    try {
      const rows = [...taken.values()].flat().sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
      const orgIds = await insertFailed(sql, rows)
      await trimFailed(sql, orgIds)
    } catch (error) {
      if (!isOutage(error)) return onError(error)
      // Written down once the database is back, unless later ones have taken their places.
      const later = waiting
      waiting = taken
      count = [...taken.values()].reduce((sum, rows) => sum + rows.length, 0)
      for (const [owner, rows] of later) for (const row of rows) add(owner, row)
    }
  }

  const flush = () => {
    flushing = flushing.then(write)
    return flushing
  }
  const timer = setInterval(flush, FLUSH_EVERY_MS)
  timer.unref()
  return {
    note: (failed) => add(...rowOf(failed)),
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

const LONGEST_PATH = 1024
const LONGEST_DETAILS = 500

/** Whose it is, as far as that is known without asking, and what is kept of it. */
function rowOf(failed: FailedRequest): [owner: string, row: FailedRow] {
  const { caller, organization, project } = failed
  const orgIds = [...new Set(caller.grants.map(({ orgId }) => orgId))]
  // Never another's: what somebody names who does not belong there is no business of theirs.
  const orgId = orgIds.length === 1 ? orgIds[0] : orgIds.find((id) => id === organization)
  const row = {
    org_id: orgId ?? null,
    // To find it by, where it has to be one of these.
    named_project: orgId ? null : (project ?? null),
    org_ids: orgId ? [] : orgIds,
    project_id: caller.grants[0]?.projectId ?? null,
    at: new Date().toISOString(),
    request_id: failed.id,
    method: failed.method,
    route: failed.route,
    path: readable(failed.path, LONGEST_PATH),
    status: failed.status,
    error: readable(failed.error, LONGEST_DETAILS),
    details: failed.details === undefined ? null : readable(failed.details, LONGEST_DETAILS),
    caller: caller.id,
    duration_ms: Math.round(failed.ms * 10) / 10,
  }
  return [orgId ?? caller.id, row]
}

/** A key or a token has no place in an address, and is put there by mistake all the same. */
const CREDENTIAL = /mq_[sp]k_[\w-]+|eyJ[\w-]+\.[\w-]+\.[\w-]*/g

function readable(text: string, longest: number): string {
  const masked = text.slice(0, 4 * longest).replaceAll(CREDENTIAL, '…')
  return masked.slice(0, longest).replaceAll('\0', '').toWellFormed()
}
