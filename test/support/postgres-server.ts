import { execFileSync, spawn } from 'node:child_process'
import { chownSync, writeFileSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverAccount } from '../../server/platform/postgres/account.ts'
import { findBinaries } from '../../server/platform/postgres/binaries.ts'
import { connect } from '../../server/platform/postgres/client.ts'

interface Running {
  /** Where its programs are, instead of the embedded ones. */
  binaries?: string
  /** Who may come in, in the words of pg_hba.conf. */
  access?: string
  /** Files that settings name, put into its folder. */
  files?: Record<string, Buffer>
}

/** PostgreSQL on a folder that is set up, on a TCP port. */
export async function runPostgres(
  folder: string,
  settings: string[] = [],
  { binaries, access = 'host all all 127.0.0.1/32 trust', files = {} }: Running = {},
) {
  const account = serverAccount('nobody')
  if (account) execFileSync('chmod', ['755', path.dirname(folder)])
  writeFileSync(path.join(folder, 'pg_hba.conf'), `${access}\n`)
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    writeFileSync(file, content, { mode: 0o600 })
    if (account) chownSync(file, account.uid, account.gid)
  }
  const port = await freePort()
  const server = spawn(
    path.join(binaries ?? findBinaries(account), 'bin/postgres'),
    [
      ...['-D', folder, '-p', String(port), '-c', 'unix_socket_directories='],
      ...['listen_addresses=127.0.0.1', ...settings].flatMap((setting) => ['-c', setting]),
    ],
    { uid: account?.uid, gid: account?.gid, stdio: 'ignore', env: { LC_ALL: 'C' } },
  )
  const url = `postgres://marquee@127.0.0.1:${port}`
  // Not in the database that others are made from: nobody may be in that one then.
  const sql = connect({ url: `${url}/template1` }, { max: 1 })
  while (!(await sql`select 1`.catch(() => undefined))) await sleep(20)
  await sql.end()
  return {
    url,
    async stop() {
      server.kill('SIGINT')
      await new Promise((resolve) => server.once('exit', resolve))
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
