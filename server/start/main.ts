import type http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { firstStart, ownerSignInLink, ownerToken } from '../access/index.ts'
import { OPERATOR } from '../base/caller.ts'
import { StartupError } from '../base/errors.ts'
import { type Config, loadConfig } from '../config/config.ts'
import { drain, openListener, portOf, sayGoodbye, takeOver } from '../http/listener.ts'
import { type FolderLock, lockDataFolder, prepareDataFolder } from '../platform/data-folder/data-folder.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { type Addresses, addressesOf } from './addresses.ts'
import { refuseHalfRestored } from './backup/restoring.ts'
import { composeService, type Service } from './compose.ts'
import { type Database, openDatabase } from './engines/database.ts'
import { prepareDatabase } from './engines/prepare-database.ts'
import { keepSeed, readQuickstart, refreshQuickstart } from './quickstart.ts'
import { welcome, welcomeWorker } from './welcome.ts'

/** What is running, in the order it was started; it is stopped in the opposite order. */
interface Running {
  lock?: FolderLock
  listener?: http.Server
  database?: Database
  service?: Service
}

const running: Running = {}
let stopping = false
let starting: Promise<void> = Promise.resolve()

async function start(): Promise<void> {
  const config = loadConfig(process.env)
  prepareDataFolder(config.dataDir)
  running.lock = await takeFolder(config.dataDir)
  refuseHalfRestored(config.dataDir)
  running.listener = await openListener({
    host: config.host,
    port: config.port,
    requestTimeoutSeconds: config.requestTimeoutSeconds,
  })
  const addresses = addressesOf(config, portOf(running.listener))
  const tell = (message: string) => void process.stderr.write(`marquee: ${message}\n`)
  running.database = await openDatabase(config, tell)
  const { sql } = running.database
  await prepareDatabase(config, sql, tell)

  let isFirst = false
  await firstStart(() => {
    isFirst = true
    return keepSeed(config.dataDir, addresses)
  }, sql)
  running.service = await composeService(config, { sql, addresses })
  await refresh(config, addresses, running.database, running.service)

  takeOver(running.listener, running.service.handler, running.service.logUnheard)
  process.stdout.write(
    config.roles.includes('api')
      ? await welcomeOf(config, { addresses, sql, isFirst })
      : welcomeWorker(portOf(running.listener)),
  )
}

async function welcomeOf(
  { dataDir }: Config,
  { addresses, sql, isFirst }: { addresses: Addresses; sql: Sql; isFirst: boolean },
): Promise<string> {
  const known = readQuickstart(dataDir)
  const signInLink =
    known && (await ownerSignInLink(OPERATOR, known.owner_email, { sql, baseUrl: addresses.base }))
  return welcome(addresses, { dataDir, first: isFirst ? known : undefined, signInLink })
}

async function takeFolder(dataDir: string): Promise<FolderLock> {
  const lock = await lockDataFolder(dataDir)
  if ('release' in lock) return lock
  throw new StartupError(
    `the data folder ${dataDir} is in use by ${lock.heldBy ? `process ${lock.heldBy}` : 'a process elsewhere, in another container perhaps'}. Stop that one first, or set MARQUEE_DATA_DIR to another folder.`,
  )
}

async function refresh(
  config: Config,
  addresses: Addresses,
  { sql }: Database,
  { issuer }: Service,
): Promise<void> {
  const known = readQuickstart(config.dataDir)
  if (known)
    refreshQuickstart(config.dataDir, addresses, await ownerToken(known.owner_email, { sql, issuer }))
}

interface Patience {
  noticeSeconds: number
  drainSeconds: number
}

async function stop({ noticeSeconds, drainSeconds }: Patience): Promise<void> {
  running.service?.startDraining()
  if (running.listener) {
    sayGoodbye(running.listener)
    if (running.service) await sleep(noticeSeconds * 1000)
    await drain(running.listener, drainSeconds)
  }
  await running.service?.close()
  await running.database?.close()
  await running.lock?.release()
}

/** Ends the process once everything has stopped; asking again while it stops changes nothing. */
async function end(code: number, patience: Patience = { noticeSeconds: 0, drainSeconds: 0 }): Promise<void> {
  if (stopping) return
  stopping = true
  // What is half started cannot be stopped; it takes a second or two to be whole.
  await starting.catch(() => {})
  await stop(patience).catch((error) => complain(error))
  process.exit(code)
}

function complain(error: unknown): void {
  const lines =
    error instanceof StartupError ? error.message.split('\n') : [String((error as Error)?.stack ?? error)]
  for (const line of lines) process.stderr.write(`marquee: ${line}\n`)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    const { stopNoticeSeconds: noticeSeconds, drainTimeoutSeconds: drainSeconds } = loadConfig(process.env)
    void end(0, { noticeSeconds, drainSeconds })
  })

// Whoever read what is written here may be gone. That is no reason to stop, and complaining of it would never end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

process.on('uncaughtException', (error) => {
  complain(error)
  void end(1)
})

// Started through a wrapper that is gone: nobody would ever stop this process.
process.once('disconnect', () => void end(0))

starting = start()
await starting.catch((error) => {
  complain(error)
  return end(1)
})
