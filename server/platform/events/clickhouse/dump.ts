import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { EventsUnavailable } from '../errors.ts'
import { TEXT_FIELDS } from '../fields.ts'
import { type DumpedEvents, ROW_ORDER } from '../rows.ts'
import type { Client } from './client.ts'
import type { Tables } from './schema.ts'
import { identifier, literal } from './sql.ts'

const FIRST = 0
/** A sort that needs more memory than this goes to the disk of the server. */
const SORT_IN_MEMORY = 2 ** 29

function whichOf({ organization, project, before }: DumpedEvents): string {
  return [
    '1',
    ...(organization === undefined ? [] : [`organization = ${literal(organization)}`]),
    ...(project === undefined ? [] : [`project = ${literal(project)}`]),
    ...(before === undefined ? [] : [`arrival < ${before}`]),
  ].join(' AND ')
}

export async function countEvents(client: Client, tables: Tables, events: DumpedEvents): Promise<number> {
  const [row] = await client.query(
    FIRST,
    `SELECT count() AS found FROM ${tables.allEvents} WHERE ${whichOf(events)}`,
  )
  return Number(row!.found)
}

/** When a request came is not kept here: it is the place in the order of arrival, but for its last three digits. */
export async function dumpEvents(
  client: Client,
  tables: Tables,
  events: DumpedEvents,
  file: string,
): Promise<number> {
  const own = ['time', 'watched', 'duration', 'segment_starts', 'segment_ends', 'segments']
  const columns = ['organization', 'project', 'arrival', 'kind', 'viewer', 'video', ...own, ...TEXT_FIELDS]
  const query = `SELECT ${columns.map(identifier).join(', ')}, intDiv(arrival, 1000) AS received
    FROM ${tables.allEvents} WHERE ${whichOf(events)}
    ORDER BY ${ROW_ORDER.map(identifier).join(', ')}`
  let rows = 0
  const counted = async function* () {
    for await (const bytes of client.lines(FIRST, query, { sortInMemory: SORT_IN_MEMORY })) {
      for (const byte of bytes) if (byte === 10) rows++
      yield bytes
    }
  }
  await pipeline(Readable.from(counted()), createWriteStream(file, { mode: 0o600 }))
  // An error in the middle of an answer that has begun is nothing but fewer rows.
  const found = await countEvents(client, tables, events)
  if (rows < found) throw new EventsUnavailable(`ClickHouse has answered ${rows} of ${found} events`)
  return rows
}
