import { type Client, ONLY } from './client.ts'
import { ServerAway } from './errors.ts'

/** A replica that needs longer is one that is away. */
const COPIED_WITHIN_MS = 10_000

const fetchAll = (table: string) => `SYSTEM SYNC REPLICA ${table}`

/** Has the replica that is asked fetch what others have and it does not, as one that was away. */
export async function catchUp(client: Client, shard: number, table: string): Promise<void> {
  if (client.isReplicated(shard)) await client.run(shard, fetchAll(table))
}

/**
 * Resolves once every replica of a shard has what is in these tables, but for those that are away: they fetch it when
 * they are back, before they answer. ClickHouse can wait for a quorum by itself, and 18.16 then never carries out a
 * mutation of those rows.
 */
export async function copyToAll(client: Client, shard: number, tables: readonly string[]): Promise<void> {
  if (!client.isReplicated(shard)) return
  const copying = client.replicasOf(shard).flatMap((replica) =>
    tables.map((table) =>
      replica.run(ONLY, fetchAll(table), { withinMs: COPIED_WITHIN_MS }).catch((error) => {
        if (!(error instanceof ServerAway)) throw error
      }),
    ),
  )
  const outcomes = await Promise.allSettled(copying)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}
