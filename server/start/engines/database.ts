import type { Config } from '../../config/config.ts'
import { connect, type Sql } from '../../platform/postgres/client.ts'
import { embeddedSocket, startEmbeddedPostgres } from '../../platform/postgres/embedded.ts'

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
