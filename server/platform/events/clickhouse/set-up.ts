import { randomBytes } from 'node:crypto'
import { StartupError } from '../../../base/errors.ts'
import { type Client, ONLY } from './client.ts'
import { catchUp } from './copies.ts'
import { ClickHouseError, ServerAway } from './errors.ts'
import { type ClickHouseServer, migrate, type TablePlace, tablesOf } from './schema.ts'
import { identifier, literal } from './sql.ts'

/** One server, as somebody looks at it who changes nothing for good. Its tables are made and dropped again on trial. */
export async function lookAtServer(
  { client, shard, replicas }: { client: Client; shard: number; replicas: number },
  place: TablePlace,
  { shards }: { shards: number },
): Promise<{ version: string; hasTables: boolean }> {
  const server = { client, shard, isReplica: replicas > 1 }
  const version = await checkServer(server, place, { shards, replicas })
  const named = `FROM system.tables WHERE database = ${literal(place.database)} AND name = 'events'`
  const hasTables = (await client.query(ONLY, `SELECT name ${named}`)).length > 0
  if (hasTables) {
    if (server.isReplica) await checkTables(server, place)
    await tryTable(client, place)
    await requireRights(server, place)
  }
  return { version, hasTables }
}

/** A table is made, written to, read from and dropped. */
async function tryTable(client: Client, { database }: TablePlace): Promise<void> {
  const table = `${identifier(database)}.${identifier(`trial_${randomBytes(6).toString('hex')}`)}`
  await client.run(ONLY, `CREATE TABLE ${table} (one UInt8) ENGINE = Memory`)
  try {
    await client.insert(ONLY, table, '1\n')
    await client.query(ONLY, `SELECT one FROM ${table}`)
  } finally {
    await client.run(ONLY, `DROP TABLE ${table}`)
  }
}

/** Each server of a shard, by itself. */
function serversOf(client: Client, shard: number): ClickHouseServer[] {
  const isReplica = client.isReplicated(shard)
  return client.replicasOf(shard).map((client) => ({ client, shard, isReplica }))
}

/**
 * Makes every server one that this version of the service can use. Of replicas some may be away, but not all of a shard;
 * answers those, which are set up once they are back.
 */
export async function setUp(client: Client, place: TablePlace): Promise<ClickHouseServer[]> {
  if (client.shards > 1 && !place.cluster)
    throw new StartupError(`${client.shards} ClickHouse servers need the name of their cluster beside them.`)
  const away: ClickHouseServer[] = []
  for (let shard = 0; shard < client.shards; shard++) {
    const servers = serversOf(client, shard)
    const missed: unknown[] = []
    for (const server of servers)
      try {
        await setUpServer(server, place, { shards: client.shards, replicas: servers.length })
      } catch (error) {
        if (!(error instanceof ServerAway)) throw error
        missed.push(error)
        away.push(server)
      }
    if (missed.length === servers.length) throw missed[0]
  }
  return away
}

interface ClusterSize {
  shards: number
  /** Of each shard. */
  replicas: number
}

/** Of what is tested: Debian has it. */
const OLDEST = [18, 16] as const

/** Whether a server is new enough, and configured as it is used here; answers its version. Nothing is changed. */
async function checkServer(server: ClickHouseServer, place: TablePlace, size: ClusterSize): Promise<string> {
  const version = await requireVersion(server)
  await checkCluster(server, place, size)
  if (server.isReplica) await checkReplica(server)
  return version
}

async function setUpServer(server: ClickHouseServer, place: TablePlace, size: ClusterSize): Promise<void> {
  await checkServer(server, place, size)
  await migrate(server, place)
  await requireRights(server, place)
  if (!server.isReplica) return
  await checkTables(server, place)
  // What it answers from now on has to be whole, and it may have been away.
  await catchUp(server.client, ONLY, tablesOf(place).events)
}

async function requireVersion({ client }: ClickHouseServer): Promise<string> {
  const [row] = await client.query(ONLY, 'SELECT version() AS version')
  const version = row!.version!
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return version
  throw new StartupError(
    `ClickHouse at ${client.hostsOf(ONLY)} is version ${version}. Use ${OLDEST.join('.')} or newer at MARQUEE_CLICKHOUSE_URL.`,
  )
}

/** A user who may make tables need not be one who may use them: that would show with the first event. Writes nothing. */
async function requireRights({ client }: ClickHouseServer, place: TablePlace): Promise<void> {
  const { events, batches, requests } = tablesOf(place)
  for (const table of [events, batches, requests])
    try {
      await client.run(ONLY, `INSERT INTO ${table} SELECT * FROM ${table} WHERE 0`)
    } catch (error) {
      if (!(error instanceof ClickHouseError)) throw error
      throw new ClickHouseError(error.code, `rows of ${table} on ${client.hostsOf(ONLY)}: ${error.message}`)
    }
}

/** Each server must know the cluster as we do: what it does not know would be missing in reports. */
async function checkCluster(
  { client, shard }: ClickHouseServer,
  { cluster }: TablePlace,
  { shards, replicas }: ClusterSize,
): Promise<void> {
  if (!cluster) return
  const name = `ClickHouse server ${shard + 1} (${client.hostsOf(ONLY)})`
  const [row] = await client.query(
    ONLY,
    `SELECT uniqExact(shard_num) AS shards, sum(shard_num = ${shard + 1}) AS replicas,
      sum(is_local AND shard_num = ${shard + 1}) AS own, sum(is_local AND shard_num != ${shard + 1}) AS other
      FROM system.clusters WHERE cluster = ${literal(cluster)}`,
  )
  const known = Number(row!.shards)
  if (known === 0)
    throw new StartupError(
      `${name} knows no cluster "${cluster}"${await othersIn(client)}. Check MARQUEE_CLICKHOUSE_CLUSTER, or name it in <remote_servers> of that server's configuration.`,
    )
  if (known !== shards)
    throw new StartupError(
      `the cluster "${cluster}" has ${known} shards in the configuration of ${name}, but ${shards} addresses are given: give one for each shard.`,
    )
  // Behind addresses that are translated a server recognizes itself in none, which is no mistake.
  if (Number(row!.own) === 0 && Number(row!.other) > 0)
    throw new StartupError(
      `${name} is not shard ${shard + 1} of the cluster "${cluster}": give the addresses in the order of its shards.`,
    )
  const copies = Number(row!.replicas)
  if (copies !== replicas)
    throw new StartupError(
      `shard ${shard + 1} of the cluster "${cluster}" has ${copies} replicas in the configuration of ${name}, but ${replicas} addresses are given: give those of all its replicas, with | between them.`,
    )
}

async function othersIn(client: Client): Promise<string> {
  const rows = await client.query(ONLY, 'SELECT DISTINCT cluster FROM system.clusters ORDER BY cluster')
  const names = rows.map((row) => `"${row.cluster}"`)
  return names.length > 0 ? `, but ${names.join(', ')}` : ''
}

/** Replicas tell each other apart by a macro, as ClickHouse's own documentation has it. */
async function checkReplica({ client, shard }: ClickHouseServer): Promise<void> {
  const macros = await client.query(ONLY, `SELECT substitution FROM system.macros WHERE macro = 'replica'`)
  if (macros.length === 0)
    throw new StartupError(
      `a replica of ClickHouse shard ${shard + 1} has no name: give each <macros><replica>…</replica></macros>, and ZooKeeper or Keeper, in its configuration.`,
    )
}

/** What was begun without replicas does not become copied by itself. */
async function checkTables({ client }: ClickHouseServer, { database }: TablePlace): Promise<void> {
  const [row] = await client.query(
    ONLY,
    `SELECT engine FROM system.tables WHERE database = ${literal(database)} AND name = 'events'`,
  )
  if (!row!.engine!.startsWith('Replicated'))
    throw new StartupError(
      `the events in the database ${identifier(database)} are kept without replicas. Give MARQUEE_CLICKHOUSE_DATABASE a new name, and bring them there with marquee backup and marquee restore.`,
    )
}
