import { StartupError } from '../../../base/errors.ts'
import { TEXT_FIELDS } from '../fields.ts'
import type { Client } from './client.ts'
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

/**
 * What each version adds, on every server; each can be run again. Later versions add columns and tables here,
 * and never change what is above them.
 */
function migrations(place: TablePlace, tables: Tables, settings: string): string[][] {
  const { database, cluster } = place
  const { events, batches, requests } = tables
  const columns = COLUMNS.map((name) => `${identifier(name)} ${typeOf(name)}`).join(', ')
  const first = [
    // Without partitions: a block of rows becomes one part, which is there whole or not at all.
    `CREATE TABLE IF NOT EXISTS ${events} (${columns})
      ENGINE = MergeTree ORDER BY (organization, project, time)${settings}`,
    // Of each spool the last batch that was begun and the last that is done; what is older may go.
    `CREATE TABLE IF NOT EXISTS ${batches}
      (spool String, done UInt8, segment UInt64, begins UInt64, ends UInt64, version UInt64)
      ENGINE = ReplacingMergeTree(version) ORDER BY (spool, done)${settings}`,
    // Which requests with an Idempotency-Key have counted, and in which batch.
    `CREATE TABLE IF NOT EXISTS ${requests} (organization String, request String, received Int64, batch String)
      ENGINE = MergeTree ORDER BY (organization, request, received)${settings}`,
  ]
  if (cluster)
    first.push(
      `CREATE TABLE IF NOT EXISTS ${identifier(database)}."all_events" (${columns})
        ENGINE = Distributed(${literal(cluster)}, ${literal(database)}, 'events')`,
    )
  return [first]
}

/** Brings every server to what this version of the service needs. */
export async function setUp(client: Client, place: TablePlace): Promise<void> {
  await checkCluster(client, place)
  for (let shard = 0; shard < client.shards; shard++) await migrate(client, shard, place)
}

async function migrate(client: Client, shard: number, place: TablePlace): Promise<void> {
  const versions = `${identifier(place.database)}."versions"`
  await client.run(shard, `CREATE DATABASE IF NOT EXISTS ${identifier(place.database)}`)
  await client.run(
    shard,
    `CREATE TABLE IF NOT EXISTS ${versions} (version UInt32) ENGINE = MergeTree ORDER BY version`,
  )
  const [row] = await client.query(shard, `SELECT max(version) AS newest FROM ${versions}`)
  const newest = Number(row!.newest)
  const known = migrations(place, tablesOf(place), await durability(client, shard))
  if (newest > known.length)
    throw new StartupError(
      `the events in ClickHouse are of a newer Marquee (schema ${newest}, this one knows ${known.length}). Start that version instead.`,
    )
  for (const [i, statements] of known.entries()) {
    if (i < newest) continue
    for (const statement of statements) await client.run(shard, statement)
    await client.insert(shard, `${versions} (version)`, `${i + 1}\n`)
  }
}

/** Has rows on the disk before an insert is answered, where the server can: the oldest that we speak to cannot. */
async function durability(client: Client, shard: number): Promise<string> {
  const rows = await client.query(
    shard,
    `SELECT name FROM system.merge_tree_settings
      WHERE name IN ('fsync_after_insert', 'fsync_part_directory') ORDER BY name`,
  )
  return rows.length === 0 ? '' : ` SETTINGS ${rows.map(({ name }) => `${name} = 1`).join(', ')}`
}

/** Each server must know the cluster as we do: a shard that it does not know would be missing in reports. */
async function checkCluster(client: Client, { cluster }: TablePlace): Promise<void> {
  if (!cluster) {
    if (client.shards === 1) return
    throw new StartupError(`${client.shards} ClickHouse servers need the name of their cluster beside them.`)
  }
  for (let shard = 0; shard < client.shards; shard++) {
    const [row] = await client.query(
      shard,
      `SELECT uniqExact(shard_num) AS shards,
        sum(is_local AND shard_num = ${shard + 1}) AS own, sum(is_local AND shard_num != ${shard + 1}) AS other
        FROM system.clusters WHERE cluster = ${literal(cluster)}`,
    )
    const known = Number(row!.shards)
    if (known !== client.shards)
      throw new StartupError(
        `the cluster "${cluster}" has ${known} shards in the configuration of ClickHouse server ${shard + 1}, but ${client.shards} addresses are given: give one for each shard.`,
      )
    // Behind addresses that are translated a server recognizes itself in none, which is no mistake.
    if (Number(row!.own) === 0 && Number(row!.other) > 0)
      throw new StartupError(
        `ClickHouse server ${shard + 1} is not shard ${shard + 1} of the cluster "${cluster}": give the addresses in the order of its shards.`,
      )
  }
}
