import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { serverAccount } from '../../server/platform/postgres/account.ts'
import { findBinaries } from '../../server/platform/postgres/binaries.ts'
import { connect } from '../../server/platform/postgres/client.ts'

/** A PostgreSQL of its own on a TCP port, as an operator would bring one. */
export async function startPostgres() {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'marquee-postgres-'))
  const folder = path.join(scratch, 'postgres')
  execFileSync('cp', ['-a', inject('clusterTemplate'), folder])
  const account = serverAccount('nobody')
  if (account) execFileSync('chmod', ['755', scratch])
  writeFileSync(path.join(folder, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n')
  const port = await freePort()
  const server = spawn(
    path.join(findBinaries(account), 'bin/postgres'),
    ['-D', folder, '-p', String(port), '-c', 'unix_socket_directories=', '-c', 'listen_addresses=127.0.0.1'],
    { uid: account?.uid, gid: account?.gid, stdio: 'ignore', env: { LC_ALL: 'C' } },
  )
  const url = `postgres://marquee@127.0.0.1:${port}/postgres`
  const sql = connect({ url }, { max: 2 })
  while (!(await sql`select 1`.catch(() => undefined))) await sleep(20)
  return {
    url,
    sql,
    async stop() {
      await sql.end({ timeout: 1 })
      server.kill('SIGINT')
      await new Promise((resolve) => server.once('exit', resolve))
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}

export async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
