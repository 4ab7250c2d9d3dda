import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import { connect } from '../../server/platform/postgres/client.ts'
import { runPostgres } from './postgres-server.ts'

interface PostgresOptions {
  /** Who may come in, in the words of pg_hba.conf. */
  access?: string
  /** More settings of the server; files that they name are put into its folder. */
  settings?: string[]
  files?: Record<string, Buffer>
  /** What the address says besides. */
  query?: string
}

/** A PostgreSQL of its own on a TCP port, as an operator would bring one. */
export async function startPostgres({ access, settings, files, query = '' }: PostgresOptions = {}) {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'marquee-postgres-'))
  const folder = path.join(scratch, 'postgres')
  execFileSync('cp', ['-a', inject('clusterTemplate'), folder])
  const server = await runPostgres(folder, settings, { access, files })
  const url = `${server.url}/postgres${query}`
  const sql = connect({ url }, { max: 2 })
  return {
    url,
    sql,
    async stop() {
      await sql.end({ timeout: 1 })
      await server.stop()
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}

/** A database with all tables, or another's contents, of the server that tests share. */
export async function createDatabase(
  template: 'postgres' | 'template0' = 'postgres',
  server = inject('databaseServer'),
) {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await inServer(server, `create database ${name} template ${template}`)
  return {
    url: `${server}/${name}`,
    drop: () => inServer(server, `drop database ${name} with (force)`),
  }
}

async function inServer(server: string, statement: string): Promise<void> {
  const sql = connect({ url: `${server}/template1` }, { max: 1 })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}
