import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect } from '../../server/platform/postgres/client.ts'
import { embeddedSocket, startEmbeddedPostgres } from '../../server/platform/postgres/embedded.ts'
import { migrate } from '../../server/platform/postgres/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    clusterTemplate: string
  }
}

/** Sets a PostgreSQL folder up once, with all tables; every service under test starts from a copy of it. */
export default async function setup(project: TestProject) {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'marquee-template-'))
  const server = await startEmbeddedPostgres({ dataDir, user: 'nobody', onTrouble: console.error })
  const sql = connect({ socket: embeddedSocket(dataDir) }, { max: 1 })
  await migrate(sql)
  await sql.end()
  await server.stop()
  project.provide('clusterTemplate', path.join(dataDir, 'postgres'))
  return () => rmSync(dataDir, { recursive: true, force: true })
}
