import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { serverAccount } from '../../../server/platform/postgres/account.ts'
import { runPostgres } from '../postgres-server.ts'

const INSTALLED = '/usr/lib/postgresql'

/** The PostgreSQL that Debian has, which is older than the embedded one, with nothing in it. */
export async function startDebianPostgres(settings: string[], how: { access?: string } = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-debian-postgres-'))
  const data = path.join(folder, 'postgres')
  const account = serverAccount('nobody')
  if (account) execFileSync('chown', [`${account.uid}:${account.gid}`, folder])
  const binaries = path.join(INSTALLED, newestOf(INSTALLED))
  const args = ['-D', data, '-U', 'marquee', '-A', 'trust', '--encoding=UTF8', '--locale=C.UTF-8']
  execFileSync(path.join(binaries, 'bin/initdb'), args, { ...account, cwd: folder, stdio: 'ignore' })
  const server = await runPostgres(data, settings, { ...how, binaries })
  return {
    url: server.url,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function newestOf(folder: string): string {
  const versions = existsSync(folder) ? readdirSync(folder).map(Number).filter(Boolean) : []
  if (versions.length === 0) throw new Error(`there is no PostgreSQL of Debian in ${folder}`)
  return String(Math.max(...versions))
}
