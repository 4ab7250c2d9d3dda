import { setTimeout as sleep } from 'node:timers/promises'
import { EventsUnavailable } from '../errors.ts'
import type { ProjectEvents } from '../port.ts'
import type { Client } from './client.ts'
import type { TablePlace, Tables } from './schema.ts'
import { literal } from './sql.ts'

const AGAIN_MS = 200
const PATIENCE_MS = 60_000

/** Deletes a project's events on every shard: by a mutation, which ClickHouse carries out by itself and is waited for. */
export async function eraseEvents(
  client: Client,
  tables: Tables,
  place: TablePlace,
  { organization, project }: ProjectEvents,
): Promise<void> {
  const which = `organization = ${literal(organization)} AND project = ${literal(project)}`
  const shards = Array.from({ length: client.shards }, (_, shard) => shard)
  const count = async (shard: number, of: string) =>
    Number((await client.query(shard, `SELECT count() AS found FROM ${of}`))[0]!.found)
  const isUnderWay = `database = ${literal(place.database)} AND table = 'events' AND is_done = 0
    AND position(command, ${literal(project)}) > 0`

  for (const shard of shards)
    if ((await count(shard, `${tables.events} WHERE ${which}`)) > 0)
      await client.run(shard, `ALTER TABLE ${tables.events} DELETE WHERE ${which}`)
  for (const shard of shards)
    for (
      let waited = 0;
      (await count(shard, `system.mutations WHERE ${isUnderWay}`)) > 0;
      waited += AGAIN_MS
    ) {
      if (waited > PATIENCE_MS) throw new EventsUnavailable('ClickHouse is still deleting events')
      await sleep(AGAIN_MS)
    }
}
