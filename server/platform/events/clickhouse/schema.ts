import { StartupError } from '../../../base/errors.ts'
import { TEXT_FIELDS } from '../fields.ts'
import { type Client, ONLY } from './client.ts'
import { identifier, literal } from './sql.ts'

export interface TablePlace {
  database: string
  /** As the servers' configuration names it; needed where there are several shards. */
  cluster?: string
}

/** Names of tables with their database, and what is asked for reports. */
export interface Tables {
  events: string
  /** All shards' events as one, or the same where there is one shard. */
  allEvents: string
  batches: string
  requests: string
  /** Is there only while rows that were refused are searched. */
  trial: string
}

/** Of the table of events, in the order in which rows are written. */
const COLUMNS: readonly string[] = [
  'organization',
  'project',
  'time',
  'arrival',
  'kind',
  'viewer',
  'video',
  'watched',
  'duration',
  'segment_starts',
  'segment_ends',
  'segments',
  'batch',
  ...TEXT_FIELDS,
]

/** A table of these columns, as what rows are put into. */
export const withColumns = (table: string) => `${table} (${COLUMNS.map(identifier).join(', ')})`

const TYPES: Record<string, string> = {
  organization: 'String',
  project: 'String',
  time: 'Int64',
  arrival: 'Int64',
  kind: 'String',
  watched: 'Nullable(Int64)',
  duration: 'Nullable(Int64)',
  segment_starts: 'Array(Int64)',
  segment_ends: 'Array(Int64)',
  batch: 'String',
}
const typeOf = (column: string) => TYPES[column] ?? 'Nullable(String)'

export function tablesOf({ database, cluster }: TablePlace): Tables {
  const table = (name: string) => `${identifier(database)}.${identifier(name)}`
  return {
    events: table('events'),
    allEvents: table(cluster ? 'all_events' : 'events'),
    batches: table('batches'),
    requests: table('requests'),
    trial: table('trial'),
  }
}

/** A server, as tables are made on it. */
export interface ClickHouseServer {
  /** The only one it knows. */
  client: Client
  shard: number
  /** Others hold the same rows. */
  isReplica: boolean
}

/**
 * What each version adds, on every server; each can be run again. Later versions add columns and tables here,
 * and never change what is above them.
 */
function migrations(
  place: TablePlace,
  { shard, isReplica }: ClickHouseServer,
  known: Set<string>,
): string[][] {
  const { database, cluster } = place
  const settings = durability(known)
  const { events, batches, requests } = tablesOf(place)
  const columns = COLUMNS.map((name) => `${identifier(name)} ${typeOf(name)}`).join(', ')
  const engine = (table: string, kind = '', ...given: string[]) => {
    const name = `/marquee/${cluster ?? 'alone'}/${database}/${shard + 1}/${table}`
    const replica = isReplica ? [literal(name), "'{replica}'"] : []
    return `${isReplica ? 'Replicated' : ''}${kind}MergeTree(${[...replica, ...given].join(', ')})`
  }
  const first = [
    // Without partitions: a block of rows becomes one part, which is there whole or not at all.
    `CREATE TABLE IF NOT EXISTS ${events} (${columns})
      ENGINE = ${engine('events')} ORDER BY (organization, project, time)${settings}`,
    // Of each spool the last batch that was begun and the last that is done; what is older may go.
    `CREATE TABLE IF NOT EXISTS ${batches}
      (spool String, done UInt8, segment UInt64, begins UInt64, ends UInt64, version UInt64)
      ENGINE = ${engine('batches', 'Replacing', 'version')} ORDER BY (spool, done)${settings}`,
    // Which requests with an Idempotency-Key have counted, and in which batch.
    `CREATE TABLE IF NOT EXISTS ${requests} (organization String, request String, received Int64, batch String)
      ENGINE = ${engine('requests')} ORDER BY (organization, request, received)${settings}`,
  ]
  if (cluster)
    first.push(
      `CREATE TABLE IF NOT EXISTS ${identifier(database)}."all_events" (${columns})
        ENGINE = Distributed(${literal(cluster)}, ${literal(database)}, 'events')`,
    )
  // A batch that comes again although it is there, because what was written down of it got lost, counts once: replicas
  // know the last blocks of a table by themselves.
  const second =
    known.has(WINDOW) && !isReplica
      ? [events, requests].map(
          (table) => `ALTER TABLE ${table} MODIFY SETTING ${WINDOW} = ${BLOCKS_KNOWN_AGAIN}`,
        )
      : []
  return [first, second]
}

/** Newer servers know the last blocks of a table again, also where it is on one server only. */
const WINDOW = 'non_replicated_deduplication_window'
const BLOCKS_KNOWN_AGAIN = 1000

/** Brings a server to what this version of the service needs. */
export async function migrate(server: ClickHouseServer, place: TablePlace): Promise<void> {
  const { client } = server
  const versions = `${identifier(place.database)}."versions"`
  await client.run(ONLY, `CREATE DATABASE IF NOT EXISTS ${identifier(place.database)}`)
  await client.run(
    ONLY,
    `CREATE TABLE IF NOT EXISTS ${versions} (version UInt32) ENGINE = MergeTree ORDER BY version`,
  )
  const [row] = await client.query(ONLY, `SELECT max(version) AS newest FROM ${versions}`)
  const newest = Number(row!.newest)
  const known = migrations(place, server, await knownSettings(client))
  if (newest > known.length)
    throw new StartupError(
      `the events in ClickHouse are of a newer Marquee (schema ${newest}, this one knows ${known.length}). Start that version instead.`,
    )
  for (const [i, statements] of known.entries()) {
    if (i < newest) continue
    for (const statement of statements) await client.run(ONLY, statement)
    await client.insert(ONLY, `${versions} (version)`, `${i + 1}\n`)
  }
}

const DURABILITY = ['fsync_after_insert', 'fsync_part_directory']

/** Has rows on the disk before an insert is answered, where the server can: the oldest that we speak to cannot. */
function durability(known: Set<string>): string {
  const settings = DURABILITY.filter((name) => known.has(name))
  return settings.length === 0 ? '' : ` SETTINGS ${settings.map((name) => `${name} = 1`).join(', ')}`
}

/** Which of our settings of tables a server has. */
async function knownSettings(client: Client): Promise<Set<string>> {
  const names = [...DURABILITY, WINDOW].map(literal).join(', ')
  const rows = await client.query(
    ONLY,
    `SELECT name FROM system.merge_tree_settings WHERE name IN (${names})`,
  )
  return new Set(rows.map(({ name }) => name!))
}
