import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'

const SCRIPT = path.join(import.meta.dirname, '../../scripts/services/clickhouse-cluster')

export interface ClickHouseCluster {
  urls: string[]
  cluster: string
  user: string
  password: string
  /** Ends a server (1 or 2) at once, as a power cut would. */
  kill(server: number): void
  /** Stops both, with time to finish. */
  stop(): void
  /** Starts what does not run. */
  start(): void
  destroy(): void
}

/**
 * A cluster of our own. Where there is none to be had the tests are skipped with the reason, except in CI,
 * where they fail: there, a green run says that ClickHouse works.
 */
export function findClickHouseCluster(): ClickHouseCluster | { missing: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-clickhouse-'))
  const run = (...command: string[]) =>
    spawnSync(SCRIPT, command, { env: { ...process.env, CLICKHOUSE_FOLDER: folder }, encoding: 'utf8' })
  const reasonOf = ({ stderr, error }: ReturnType<typeof run>) =>
    stderr?.trim().split('\n').at(-1) || error?.message
  const must = (...command: string[]) => {
    const ran = run(...command)
    if (ran.status !== 0) throw new Error(`clickhouse-cluster ${command.join(' ')}: ${reasonOf(ran)}`)
  }

  const started = run('start')
  if (started.status === 0) {
    const settings = parseEnv(started.stdout)
    return {
      urls: settings.CLICKHOUSE_URLS!.split(','),
      cluster: settings.CLICKHOUSE_CLUSTER!,
      user: settings.CLICKHOUSE_USER!,
      password: settings.CLICKHOUSE_PASSWORD!,
      kill: (server) => must('kill', String(server)),
      stop: () => must('stop'),
      start: () => must('start'),
      destroy: () => must('destroy'),
    }
  }
  rmSync(folder, { recursive: true, force: true })
  const missing = `no ClickHouse to test against: ${reasonOf(started)}`
  if (process.env.CI === 'true') throw new Error(missing)
  console.warn(`${missing}. The tests of ClickHouse are skipped.`)
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
