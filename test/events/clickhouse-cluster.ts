import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { needs } from '../support/needs.ts'

const SCRIPT = path.join(import.meta.dirname, '../../scripts/services/clickhouse-cluster')

export interface ClickHouseCluster {
  /** The replicas of each shard. */
  shards: string[][]
  /** All servers: those of the first shard first. */
  urls: string[]
  cluster: string
  user: string
  password: string
  /** What a server (0 for the first) answers to a statement, whether it likes it or not. */
  ask(server: number, sql: string): Promise<string>
  /** Ends a server (1 for the first) at once, as a power cut would. */
  kill(server: number): void
  /** Stops all, with time to finish. */
  stop(): void
  /** Starts what does not run. */
  start(): void
  destroy(): void
}

/** Somebody else may take the ports between their choice and a server's start: then others are tried. */
const TRIES = 3

/** A cluster of our own with two shards, where there is one to be had. */
export function findClickHouseCluster(
  replicas: 1 | 2 = 1,
  triesLeft = TRIES,
): ClickHouseCluster | { missing: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-clickhouse-'))
  const run = (...command: string[]) =>
    spawnSync(SCRIPT, command, {
      env: { ...process.env, CLICKHOUSE_FOLDER: folder, CLICKHOUSE_REPLICAS: String(replicas) },
      encoding: 'utf8',
    })
  const reasonOf = ({ stderr, error }: ReturnType<typeof run>) =>
    stderr?.trim().split('\n').at(-1) || error?.message
  const must = (...command: string[]) => {
    const ran = run(...command)
    if (ran.status !== 0) throw new Error(`clickhouse-cluster ${command.join(' ')}: ${reasonOf(ran)}`)
  }

  const started = run('start')
  if (started.status === 0) {
    const settings = parseEnv(started.stdout)
    const shards = settings.CLICKHOUSE_URLS!.split(',').map((shard) => shard.split('|'))
    const urls = shards.flat()
    const [user, password] = [settings.CLICKHOUSE_USER!, settings.CLICKHOUSE_PASSWORD!]
    return {
      shards,
      urls,
      cluster: settings.CLICKHOUSE_CLUSTER!,
      user,
      password,
      async ask(server, sql) {
        const headers = { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password }
        const answer = await fetch(urls[server]!, { method: 'POST', headers, body: sql })
        return (await answer.text()).trim()
      },
      kill: (server) => must('kill', String(server)),
      stop: () => must('stop'),
      start: () => must('start'),
      destroy: () => must('destroy'),
    }
  }
  if (triesLeft > 1 && /ended at once|is taken/.test(started.stderr)) {
    must('destroy')
    return findClickHouseCluster(replicas, triesLeft - 1)
  }
  rmSync(folder, { recursive: true, force: true })
  const missing = `ClickHouse (${reasonOf(started)})`
  needs(missing, false)
  return { missing }
}

export const newDatabase = () => `events_${randomUUID().replaceAll('-', '')}`

/** Of loaders in one process: each waits for the one before it. */
export function makeLock(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work, work)
    last = done.catch(() => {})
    return done
  }
}
