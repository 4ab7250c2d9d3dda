import { readFileSync } from 'node:fs'
import path from 'node:path'
import { authenticateKey } from './access/authentication/authenticate-key.ts'
import { authenticateToken } from './access/authentication/authenticate-token.ts'
import { lastUsed } from './access/authentication/last-used.ts'
import { signingSecret } from './access/installation/signing-secret.ts'
import { accessRoutes } from './access/routes.ts'
import { type TokenIssuer, tokenIssuer } from './access/tokens/issuer.ts'
import { openIdVerifier } from './access/tokens/openid.ts'
import type { Config } from './config.ts'
import { buildApp } from './http/app.ts'
import type { Authenticator } from './http/authentication.ts'
import type { Engine } from './http/health.ts'
import type { App } from './http/types.ts'
import { memoryLimiter } from './platform/limits/memory.ts'
import type { Clock, Limiter } from './platform/limits/port.ts'
import { connect, isOutage, type Sql } from './platform/postgres/client.ts'
import { embeddedSocket, startEmbeddedPostgres } from './platform/postgres/embedded.ts'

export interface Addresses {
  base: string
  upload: string
  cdn: string
}

export function addressesOf(config: Config, port: number): Addresses {
  const base = config.baseUrl ?? `http://localhost:${port}`
  return { base, upload: config.uploadUrl ?? `${base}/upload`, cdn: config.cdnUrl ?? `${base}/cdn` }
}

export interface Database {
  sql: Sql
  close(): Promise<void>
}

/** A PostgreSQL by address, or the embedded one, started here. */
export async function openDatabase(config: Config, onTrouble: (message: string) => void): Promise<Database> {
  if (config.databaseUrl) return connectDatabase(config)
  const server = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    user: config.databaseUser,
    onTrouble,
  })
  const { sql, close } = connectDatabase(config)
  return {
    sql,
    async close() {
      await close()
      await server.stop()
    },
  }
}

/** A database that runs already. */
export function connectDatabase(config: Config): Database {
  const address = config.databaseUrl
    ? { url: config.databaseUrl }
    : { socket: embeddedSocket(config.dataDir) }
  const sql = connect(address, { max: config.databaseConnections })
  return { sql, close: () => sql.end({ timeout: 5 }) }
}

export interface Service {
  app: App
  issuer: TokenIssuer
  /** From now on the service says that it is not ready. */
  startDraining(): void
  close(): Promise<void>
}

/** Puts the parts together; the only place that chooses among adapters. */
export async function composeService(
  config: Config,
  { sql, addresses, clock = Date.now }: { sql: Sql; addresses: Addresses; clock?: Clock },
): Promise<Service> {
  let draining = false
  const issuer = tokenIssuer(await signingSecret(sql))
  const limiter = await chooseLimiter(config, clock)
  const used = lastUsed(sql, (error) => app.log.warn({ err: error }, 'last use of keys not written'))

  const engines: Engine[] = [
    {
      name: 'postgres',
      check: async () => {
        await sql`select 1`
      },
    },
  ]
  if (config.redisUrl) engines.push({ name: 'redis', check: () => limiter.check() })

  const app: App = await buildApp({
    version: readVersion(),
    logLevel: config.logLevel,
    bodyLimit: config.bodyLimit,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    secure: addresses.base.startsWith('https:'),
    metricsToken: config.metricsToken,
    authenticator: authenticatorOf(config, sql, issuer, used.note),
    limiter,
    quotas: quotasOf(config),
    engines,
    isOutage,
    isDraining: () => draining,
    rooms: [
      accessRoutes({
        sql,
        issuer,
        limiter,
        lifetimes: { accessToken: config.accessTokenLifetime, refreshToken: config.refreshTokenLifetime },
        passwordsPerMinute: config.passwordsPerMinute,
        storageLimits: storageLimitsOf(config),
        invitationLifetime: config.invitationLifetime,
      }),
    ],
  })

  return {
    app,
    issuer,
    startDraining() {
      draining = true
    },
    async close() {
      await app.close()
      await used.close()
      await limiter.close()
    },
  }
}

async function chooseLimiter({ redisUrl }: Config, clock: Clock): Promise<Limiter> {
  if (!redisUrl) return memoryLimiter(clock)
  // Loaded only where it is used: a client library is memory that an embedded install need not spend.
  const { redisLimiter } = await import('./platform/limits/redis.ts')
  return redisLimiter(redisUrl, clock)
}

function authenticatorOf(
  config: Config,
  sql: Sql,
  issuer: TokenIssuer,
  noteUse: (keyId: string) => void,
): Authenticator {
  const { oidcIssuer, oidcAudience } = config
  const openId =
    oidcIssuer && oidcAudience
      ? openIdVerifier({
          issuer: oidcIssuer,
          audience: oidcAudience,
          jwksUrl: config.oidcJwksUrl ?? `${oidcIssuer}/.well-known/jwks.json`,
        })
      : undefined
  return {
    async byKey(key) {
      const caller = await authenticateKey(key, sql)
      noteUse(caller.id)
      return caller
    },
    byToken: (token) => authenticateToken(token, { sql, issuer, openId }),
  }
}

function quotasOf(config: Config) {
  return {
    keyPerMinute: config.keyPerMinute,
    signInPerMinute: config.signInPerMinute,
    plans: {
      free: { perHour: config.freePerHour, perMinute: config.freePerMinute },
      pro: { perHour: config.proPerHour, perMinute: config.proPerMinute },
      custom: { perHour: config.customPerHour, perMinute: config.customPerMinute },
      pay_as_you_go: { perHour: config.payAsYouGoPerHour, perMinute: config.payAsYouGoPerMinute },
    },
  }
}

function storageLimitsOf(config: Config) {
  return {
    free: config.freeStorage,
    pro: config.proStorage,
    custom: config.customStorage,
    pay_as_you_go: config.payAsYouGoStorage,
  }
}

function readVersion(): string {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')).version
}
