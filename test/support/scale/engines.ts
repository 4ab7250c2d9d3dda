import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { connect } from '../../../server/platform/postgres/client.ts'
import { migrate } from '../../../server/platform/postgres/migrate.ts'
import { findClickHouseCluster } from '../../events/clickhouse-cluster.ts'
import { findS3Server, type S3Server } from '../../platform/objects-s3-server.ts'
import { startDebianPostgres } from './debian-postgres.ts'

/** Where engines listen that a service is pointed at. */
export interface EngineAddresses {
  redis: string
  s3: Omit<S3Server, 'stop'>
  clickHouse: { urls: string[]; cluster: string; user: string; password: string }
}

export interface Servers {
  engines: EngineAddresses
  /** PostgreSQL, without the name of a database. */
  databases: string
}

const PACKAGES = [
  'postgresql',
  'redis-server',
  'haproxy',
  'radosgw',
  'ceph-mon',
  'ceph-osd',
  'clickhouse-server',
]

const INSTALLER = path.join(import.meta.dirname, '../../../scripts/services/debian-packages')

/** Debian's PostgreSQL, Redis, ClickHouse and S3 server on loopback, and the haproxy that stands before processes. */
export async function startEngines(postgresSettings: string[] = []) {
  execFileSync(INSTALLER, PACKAGES, { stdio: ['ignore', 2, 2] })
  const postgres = await startDebianPostgres([...postgresSettings, 'max_connections=600'])
  const sql = connect({ url: `${postgres.url}/postgres` }, { max: 1 })
  await migrate(sql)
  await sql.end()
  // Looks for the program when it is loaded.
  const { startRedis } = await import('../redis.ts')
  const redis = await startRedis()
  const s3 = findS3Server()
  const clickHouse = findClickHouseCluster()
  if ('missing' in s3) throw new Error(s3.missing)
  if ('missing' in clickHouse) throw new Error(clickHouse.missing)

  const { urls, cluster, user, password } = clickHouse
  const { endpoint, region, credentials } = s3
  const engines: EngineAddresses = {
    redis: redis.url,
    s3: { endpoint, region, credentials },
    clickHouse: { urls, cluster, user, password },
  }
  return {
    servers: { engines, databases: postgres.url } satisfies Servers,
    async stop() {
      clickHouse.destroy()
      s3.stop()
      await redis.stop()
      await postgres.stop()
    },
  }
}
