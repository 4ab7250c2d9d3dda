import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect } from '../../server/platform/postgres/client.ts'
import { embeddedSocket, startEmbeddedPostgres } from '../../server/platform/postgres/embedded.ts'
import { migrate } from '../../server/platform/postgres/migrate.ts'
import { runPostgres } from '../support/postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of PostgreSQL with all tables and nothing in them, to be copied. */
    clusterTemplate: string
    /** Where a server listens that makes databases with all tables, without the name of one. */
    databaseServer: string
  }
}

/**
 * Sets PostgreSQL up once. A service in a process of its own starts on a copy of the folder; one in the test's
 * process has a database of a server that all of them share, and that need not survive anything.
 */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-template-'))
  const template = path.join(folder, 'postgres')
  const embedded = await startEmbeddedPostgres({ dataDir: folder, user: 'nobody', onTrouble: console.error })
  const sql = connect({ socket: embeddedSocket(folder) }, { max: 1 })
  await migrate(sql)
  await sql.end()
  await embedded.stop()
  project.provide('clusterTemplate', template)

  const shared = path.join(folder, 'shared')
  execFileSync('cp', ['-a', template, shared])
  const careless = ['fsync=off', 'full_page_writes=off', 'max_connections=300']
  const server = await runPostgres(shared, careless)
  project.provide('databaseServer', server.url)
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
