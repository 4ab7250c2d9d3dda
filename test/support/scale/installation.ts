import { inject, onTestFinished } from 'vitest'
import type { Quickstart } from '../../../server/start/quickstart.ts'
import { newDatabase } from '../../events/clickhouse-cluster.ts'
import { s3Settings } from '../../platform/objects-s3-server.ts'
import { type Api, apiOf, key } from '../api.ts'
import { createDatabase } from '../postgres.ts'
import { freePort } from '../postgres-server.ts'
import { discard, emptyDataDir, type StartOptions, startService, type TestService } from '../service.ts'
import type { EngineAddresses, Servers } from './engines.ts'
import { startProxy } from './proxy.ts'

export interface Installation {
  /** Of the proxy before those that answer. */
  url: string
  databaseUrl: string
  /** What all of its processes are told. */
  env: Record<string, string>
  apis: TestService[]
  workers: TestService[]
  /** What the first of them has made. */
  quickstart: Quickstart
  /** As the first organization's own app: through the proxy. */
  api: Api
  /** One process more, or one again in the place of one that was stopped. */
  start(roles: string, more?: MoreOf): Promise<TestService>
  stop(): Promise<void>
}

interface MoreOf extends StartOptions {
  port?: number
}

interface InstallationOptions {
  env?: Record<string, string>
  apis?: number
  workers?: number
  /** Whether its database has no tables yet. */
  isEmpty?: boolean
  /** How often the proxy looks whether a process is ready. */
  checkMs?: number
}

/** The last of Redis's thousand databases is no installation's. */
export const CONTRACT_REDIS_DATABASE = 999

let redisDatabases = Math.floor(Math.random() * 900)

/** Processes with roles of their own on engines by address, behind haproxy. */
export async function startInstallation(
  options: InstallationOptions = {},
  servers: Servers = { engines: inject('engines')!, databases: inject('databaseServer') },
): Promise<Installation> {
  const { apis = 2, workers = 2, isEmpty, checkMs } = options
  const database = await createDatabase(isEmpty ? 'template0' : 'postgres', servers.databases)
  const publicPort = await freePort()
  const env = { ...settingsOf(servers.engines, database.url, publicPort), ...options.env }
  const services: TestService[] = []
  async function start(roles: string, { port, dataDir = emptyDataDir(), env: more, ...how }: MoreOf = {}) {
    const ownPort = port ?? (await freePort())
    const own = { MARQUEE_ROLES: roles, MARQUEE_PORT: String(ownPort), ...more }
    const started = await startService({ dataDir, env: { ...env, ...own }, ...how })
    // By its own address: what it says of itself is that of the proxy.
    const ownUrl = `http://127.0.0.1:${ownPort}`
    const service = { ...started, url: ownUrl, api: apiOf(ownUrl, {}) }
    services.push(service)
    return service
  }
  const several = (roles: string, count: number) => Array.from({ length: count }, () => start(roles))
  const [answering, working] = await Promise.all([
    Promise.all(several('api', apis)),
    Promise.all(several('worker', workers)),
  ])
  const ports = answering.map(({ url }) => Number(new URL(url).port))
  const proxy = await startProxy(publicPort, ports, { checkMs })
  const url = `http://127.0.0.1:${publicPort}`
  const { quickstart } = services.find((service) => service.quickstart.api_key)!
  return {
    url,
    quickstart,
    api: apiOf(url, key(quickstart.api_key)),
    databaseUrl: database.url,
    env,
    apis: answering,
    workers: working,
    start,
    async stop() {
      await Promise.all(services.map((service) => service.stop()))
      await proxy.stop()
      await database.drop()
      for (const { dataDir } of services) discard(dataDir)
    },
  }
}

/** As `startInstallation`, stopped when the test that asked for it ends. */
export async function installationForTest(options: InstallationOptions = {}): Promise<Installation> {
  const installation = await startInstallation(options)
  onTestFinished(() => installation.stop())
  return installation
}

/** Each installation has a part of every engine to itself. */
export function settingsOf({ redis, s3, clickHouse }: EngineAddresses, databaseUrl: string, port: number) {
  return {
    MARQUEE_DATABASE_URL: databaseUrl,
    MARQUEE_DATABASE_CONNECTIONS: '8',
    MARQUEE_REDIS_URL: `${redis}/${redisDatabases++ % CONTRACT_REDIS_DATABASE}`,
    ...s3Settings(s3),
    MARQUEE_CLICKHOUSE_URL: clickHouse.urls.join(','),
    MARQUEE_CLICKHOUSE_CLUSTER: clickHouse.cluster,
    MARQUEE_CLICKHOUSE_USER: clickHouse.user,
    MARQUEE_CLICKHOUSE_PASSWORD: clickHouse.password,
    MARQUEE_CLICKHOUSE_DATABASE: newDatabase(),
    MARQUEE_BASE_URL: `http://localhost:${port}`,
    MARQUEE_TRUST_PROXY: '127.0.0.1',
    MARQUEE_DNS_SERVERS: '127.0.0.1:1',
  }
}
