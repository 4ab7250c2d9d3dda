import { setTimeout as sleep } from 'node:timers/promises'

/** One statement to one server, named by the number of its shard; answers what it counted as `running`. */
export type AskServer = (shard: number, sql: string) => Promise<number>

const AGAIN_MS = 250
/** As many rounds in which no server knows the query, and it does not come any more. */
const QUIET_ROUNDS = 8
const MAX_ROUNDS = 240

/**
 * Ends a query in every server. A query that is ended as it begins may not have reached its server or the other
 * shards yet, and would run there to its end: so they are asked until it has stayed away for a while.
 */
export async function killEverywhere(shards: number, queryId: string, ask: AskServer): Promise<void> {
  await Promise.all(Array.from({ length: shards }, (_, shard) => killIn(shard, queryId, ask)))
}

async function killIn(shard: number, queryId: string, ask: AskServer): Promise<void> {
  const which = `query_id = '${queryId}' OR initial_query_id = '${queryId}'`
  let quiet = 0
  for (let round = 0; round < MAX_ROUNDS && quiet < QUIET_ROUNDS; round++) {
    // A server that does not hear it has stopped, and its queries with it.
    await ask(shard, `KILL QUERY WHERE ${which} ASYNC`).catch(() => {})
    const running = await ask(shard, `SELECT count() AS running FROM system.processes WHERE ${which}`).catch(
      () => 0,
    )
    quiet = running === 0 ? quiet + 1 : 0
    await sleep(AGAIN_MS, undefined, { ref: false })
  }
}
