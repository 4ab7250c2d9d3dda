import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { type Cluster, initializeCluster, startServer, stopLeftover, writeAccessRules } from './cluster.ts'

const SOCKET = '.s.PGSQL.5432'
// The kernel's limit for the path of a socket, without its closing zero.
const LONGEST_SOCKET_PATH = 107

export interface EmbeddedPostgres {
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  /** The account to run as when this process is root's. */
  user: string
  onTrouble: (message: string) => void
}

/** A real PostgreSQL as a child of this process, kept running until it is stopped. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const account = serverAccount(options.user)
  const cluster: Cluster = {
    folder: path.join(realpathSync(options.dataDir), 'postgres'),
    binaries: findBinaries(account),
    account,
    logFile: path.join(options.dataDir, 'postgres.log'),
  }
  initializeCluster(cluster)
  writeAccessRules(cluster)
  await stopLeftover(cluster.folder)

  let stopping = false
  let restarting: Promise<void> = Promise.resolve()
  let watchdog: ChildProcess | undefined
  // Watched from its first moment: this process may be killed before the server is up.
  const watch = (spawned: ChildProcess) => {
    if (spawned.pid) watchdog = startWatchdog(spawned.pid)
  }
  let server = await startPatiently(cluster, watch)
  restartWhenItEnds()

  function restartWhenItEnds(): void {
    server.once('exit', () => {
      restarting = restart()
    })
  }

  async function restart(): Promise<void> {
    watchdog?.kill()
    for (let attempt = 1; !stopping; attempt++) {
      options.onTrouble(`PostgreSQL ended unexpectedly; starting it again (attempt ${attempt})`)
      try {
        await stopLeftover(cluster.folder)
        server = await startServer(cluster, watch)
        restartWhenItEnds()
        return
      } catch (error) {
        options.onTrouble((error as Error).message)
        if (!stopping) await sleep(Math.min(200 * attempt, 5000))
      }
    }
  }

  return {
    async stop() {
      stopping = true
      // One that is just being started again would be left behind.
      await restarting
      watchdog?.kill()
      if (server.exitCode !== null || server.signalCode !== null) return
      const exited = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      await exited
    },
  }
}

/**
 * A service that was killed may have been starting its server again at that very moment; such a one
 * shows up only after a while, and has to go before this one can have the folder.
 */
async function startPatiently(
  cluster: Cluster,
  watch: (server: ChildProcess) => void,
): Promise<ChildProcess> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startServer(cluster, watch)
    } catch (error) {
      if (attempt === 5) throw error
      await sleep(200 * attempt)
      await stopLeftover(cluster.folder)
    }
  }
}

/** Where clients of the embedded server connect. */
export function embeddedSocket(dataDir: string): string {
  const folder = path.join(realpathSync(dataDir), 'postgres')
  const direct = path.join(folder, SOCKET)
  if (Buffer.byteLength(direct) <= LONGEST_SOCKET_PATH) return direct
  return `/proc/self/fd/${openSync(folder, 'r')}/${SOCKET}`
}

/**
 * Stops the server when this process dies without a chance to do so (kill -9): the watchdog's stdin
 * is a pipe whose other end only this process holds.
 */
function startWatchdog(pid: number): ChildProcess {
  const watchdog = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$1" 2>/dev/null', 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watchdog.unref()
  return watchdog
}
