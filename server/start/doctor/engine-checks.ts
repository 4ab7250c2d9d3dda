import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../config/config.ts'
import { isCurrent } from '../../platform/postgres/migrate.ts'
import { connectDatabase } from '../engines/database.ts'
import { openLimiter } from '../engines/limiter.ts'
import { openMailer } from '../engines/mail.ts'
import { OLDEST_POSTGRES } from '../engines/prepare-database.ts'
import { reachDatabase } from '../engines/reach-database.ts'
import { type Check, type Finding, fail, ok, warn } from './check.ts'
import { clickHouseChecks } from './clickhouse-checks.ts'
import { checkObjects } from './object-check.ts'

/** Tokens and signed addresses live for minutes: a clock may be wrong by seconds. */
const CLOCK = { off: 2, wrong: 30 }

/** The engines behind a service, each by what it is used for; and the service itself, where it runs. */
export function engineChecks(config: Config, baseUrl: string): Check[] {
  const { redisUrl, smtpUrl } = config
  const postgres: Check = {
    name: 'postgres',
    todo: config.databaseUrl
      ? 'Check MARQUEE_DATABASE_URL: host, port, user, password, database; and that PostgreSQL runs there'
      : 'Look at what the service writes when it starts: npm start',
    look: () => checkPostgres(config),
  }
  const objects: Check = {
    name: 'objects',
    todo: 'Check MARQUEE_S3_ENDPOINT, MARQUEE_S3_ACCESS_KEY and MARQUEE_S3_SECRET_KEY; the key has to be allowed to list, get, put and delete in the bucket',
    look: () => checkObjects(config),
  }
  const redis: Check = {
    name: 'redis',
    todo: `Check MARQUEE_REDIS_URL, and that Redis runs: redis-cli -u ${withoutPassword(redisUrl)} ping`,
    look: () => checkRedis(config),
  }
  const mail: Check = {
    name: 'mail',
    todo: 'Check MARQUEE_SMTP_URL: host, port, user, password, smtp: or smtps:',
    look: () => checkMail(config),
  }
  const service: Check = {
    name: 'service',
    todo: 'Look at what it writes on its standard output',
    look: () => checkService(baseUrl),
  }
  return [
    postgres,
    objects,
    ...clickHouseChecks(config),
    ...(redisUrl ? [redis] : []),
    ...(smtpUrl ? [mail] : []),
    service,
  ]
}

async function checkPostgres(config: Config): Promise<Finding> {
  const isThere = config.databaseUrl || existsSync(path.join(config.dataDir, 'quickstart.json'))
  if (!isThere) return warn('there is none yet', 'Make it by starting once: npm start')
  // One by address is there or not; the embedded one may be starting, or is started for this.
  const database = config.databaseUrl ? connectDatabase(config) : await reachDatabase(config, () => {})
  try {
    const { sql } = database
    const [row] = await sql<{ version: number; seconds: number; creates: boolean; left: number }[]>`
      select current_setting('server_version_num')::int / 10000 as version,
        extract(epoch from clock_timestamp())::float8 as seconds,
        has_schema_privilege(current_schema(), 'create') as creates,
        current_setting('max_connections')::int - (select count(*)::int from pg_stat_activity) as left`
    const { version, seconds, creates, left } = row!
    const found = `version ${version}${config.databaseUrl ? '' : ', embedded'}`
    if (version < OLDEST_POSTGRES) return fail(found, `Use version ${OLDEST_POSTGRES} or newer`)
    if (!creates)
      return fail(
        `${found}; the user may not create tables`,
        'grant create, usage on schema public to that user;',
      )
    const off = Math.abs(Date.now() / 1000 - seconds)
    if (off > CLOCK.off) {
      const said = `${found}; its clock and the one here differ by ${off.toFixed(0)} s`
      const todo = 'Set both by NTP: timedatectl set-ntp true'
      return off > CLOCK.wrong ? fail(said, todo) : warn(said, todo)
    }
    if (!(await isCurrent(sql)))
      return warn(
        `${found}; its tables are of another version`,
        'Start the service: it brings them up to date',
      )
    if (left < config.databaseConnections)
      return warn(
        `${found}; ${left} connections are left, a process wants ${config.databaseConnections}`,
        'Raise max_connections, or lower MARQUEE_DATABASE_CONNECTIONS',
      )
    return ok(found)
  } finally {
    await database.close()
  }
}

async function checkRedis(config: Config): Promise<Finding> {
  const limiter = await openLimiter(config, Date.now)
  try {
    await limiter.check()
    return ok(new URL(config.redisUrl!).host)
  } finally {
    await limiter.close()
  }
}

async function checkMail(config: Config): Promise<Finding> {
  if (!config.mailFrom) return fail('no sender', 'Set MARQUEE_MAIL_FROM')
  const mailer = await openMailer(config)
  await mailer!.check()
  return ok(new URL(config.smtpUrl!).host)
}

async function checkService(baseUrl: string): Promise<Finding> {
  const answer = await fetch(`${baseUrl}/readyz`).catch(() => undefined)
  if (!answer)
    return warn(
      `nothing answers at ${baseUrl}`,
      'Start it: npm start — or set MARQUEE_BASE_URL to where it is',
    )
  if (answer.ok) return ok(`${baseUrl} is ready`)
  throw new Error(`${baseUrl} says ${answer.status}: ${(await answer.text()).slice(0, 200)}`)
}

function withoutPassword(url: string | undefined): string {
  const shown = new URL(url ?? 'redis://localhost')
  shown.password = ''
  return shown.href
}
