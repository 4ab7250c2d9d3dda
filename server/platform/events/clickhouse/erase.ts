import { setTimeout as sleep } from 'node:timers/promises'
import { EventsUnavailable } from '../errors.ts'
import type { ErasedEvents } from '../port.ts'
import { type Client, ONLY } from './client.ts'
import type { TablePlace, Tables } from './schema.ts'
import { literal } from './sql.ts'

const AGAIN_MS = 200
const PATIENCE_MS = 60_000

const shardsOf = (client: Client) => Array.from({ length: client.shards }, (_, shard) => shard)

function whichOf({ organization, project, viewer, before }: ErasedEvents): string {
  const ofViewer = viewer === undefined ? '' : ` AND viewer = ${literal(viewer)}`
  const until = before === undefined ? '' : ` AND arrival < ${before}`
  return `organization = ${literal(organization)} AND project = ${literal(project)}${ofViewer}${until}`
}

export async function newestOf(client: Client, tables: Tables, events: ErasedEvents): Promise<number> {
  const found = shardsOf(client).map(async (shard) => {
    const [row] = await client.query(
      shard,
      `SELECT max(arrival) AS newest FROM ${tables.events} WHERE ${whichOf(events)}`,
    )
    return Number(row!.newest)
  })
  return Math.max(...(await Promise.all(found)))
}

/**
 * Deletes events on every shard: by a mutation, which ClickHouse carries out by itself and is waited for, on each replica
 * for itself. One that is away would come back with them: it is waited for as well.
 */
export async function eraseEvents(
  client: Client,
  tables: Tables,
  place: TablePlace,
  events: ErasedEvents,
): Promise<void> {
  const which = whichOf(events)
  const servers = shardsOf(client).flatMap((shard) => client.replicasOf(shard))
  const count = async (server: Client, of: string) =>
    Number((await server.query(ONLY, `SELECT count() AS found FROM ${of}`))[0]!.found)
  const isUnderWay = `database = ${literal(place.database)} AND table = 'events' AND is_done = 0
    AND position(command, ${literal(events.project)}) > 0`

  for (const server of servers)
    if ((await count(server, `${tables.events} WHERE ${which}`)) > 0)
      await server.run(ONLY, `ALTER TABLE ${tables.events} DELETE WHERE ${which}`)
  // A replica learns of a mutation a moment after it was asked for one.
  for (const server of servers)
    for (
      let waited = 0;
      (await count(server, `system.mutations WHERE ${isUnderWay}`)) > 0 ||
      (await count(server, `${tables.events} WHERE ${which}`)) > 0;
      waited += AGAIN_MS
    ) {
      if (waited > PATIENCE_MS) throw new EventsUnavailable('ClickHouse is still deleting events')
      await sleep(AGAIN_MS)
    }
}
