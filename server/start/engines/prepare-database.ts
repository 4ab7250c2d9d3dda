import { StartupError } from '../../base/errors.ts'
import type { Config } from '../../config/config.ts'
import { codeOfRefusal, isOutage, type Sql } from '../../platform/postgres/client.ts'
import { migrate } from '../../platform/postgres/migrate.ts'

export const OLDEST_POSTGRES = 15

/** Brings the database to what this version needs, or ends the start with what is wrong with it and what to do. */
export async function prepareDatabase(
  { databaseUrl }: Config,
  sql: Sql,
  tell: (message: string) => void,
): Promise<void> {
  try {
    await requireVersion(sql, databaseUrl)
    await migrate(sql, tell)
  } catch (error) {
    throw explained(error as Error, databaseUrl)
  }
}

async function requireVersion(sql: Sql, databaseUrl: string | undefined): Promise<void> {
  const [row] = await sql<{ number: number }[]>`select current_setting('server_version_num')::int as number`
  const version = Math.floor(row!.number / 10_000)
  if (version >= OLDEST_POSTGRES) return
  const at = databaseUrl ? addressIn(partsOf(databaseUrl)) : ''
  throw new StartupError(
    `the database${at} is PostgreSQL ${version}. Use version ${OLDEST_POSTGRES} or newer at MARQUEE_DATABASE_URL.`,
  )
}

function explained(error: Error, databaseUrl: string | undefined): Error {
  if (!databaseUrl) return isOutage(error) ? unreachable(error, '') : error
  const parts = partsOf(databaseUrl)
  const { user, database } = parts
  const at = addressIn(parts)
  if (isOutage(error)) return unreachable(error, at)
  const { message } = error
  switch (codeOfRefusal(error)) {
    case '28P01':
      return new StartupError(
        `the database${at} refuses the password of "${user}": ${message}. Check user and password in MARQUEE_DATABASE_URL.`,
      )
    case '28000':
      return new StartupError(
        `the database${at} refuses the connection: ${message}. Check MARQUEE_DATABASE_URL.`,
      )
    case '3D000':
      return new StartupError(
        `there is no database "${database}"${at}: ${message}. Create it (createdb "${database}"), or check MARQUEE_DATABASE_URL.`,
      )
    case '42501':
      return new StartupError(
        `the user "${user}" of the database${at} may not do what a start does: ${message}. Make it the owner (alter database "${database}" owner to "${user}"), or: grant create, usage on schema public to "${user}".`,
      )
    default:
      return error
  }
}

function unreachable(error: Error & { code?: string }, at: string): StartupError {
  return new StartupError(
    `the database${at} cannot be reached: ${error.message || error.code}. Check MARQUEE_DATABASE_URL.`,
  )
}

const addressIn = ({ host }: { host: string }) => host && ` at ${host}`

/** For messages: never the password. */
function partsOf(databaseUrl: string) {
  const { host, username, pathname } = new URL(databaseUrl)
  const user = decodeURIComponent(username)
  return { host, user, database: decodeURIComponent(pathname.slice(1)) || user }
}
