import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Servers, startEngines } from '../test/support/scale/engines.ts'
import { startInstallation } from '../test/support/scale/installation.ts'
import { startMachines } from '../test/support/scale/machines.ts'
import { discard, emptyDataDir, startService } from '../test/support/service.ts'
import { makeFilm } from './support/film.ts'
import { line, print } from './support/report.ts'
import { slowEncoder } from './support/slow-encoder.ts'
import { watcherOf } from './support/watch.ts'

const WORKERS = 10
/** So small that encoding it is next to nothing; nothing of it can be copied. */
const FILM = { width: 64, height: 36, seconds: 600, keyEvery: 1800 }
/** What a machine of its own would compute for a segment, waited for: workers here share the cores. */
const SECONDS_A_SEGMENT = 2

/** How much sooner a film is made by ten workers than by one, none of which has anything in common but a network. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-bench-'))
  chmodSync(folder, 0o755)
  const engines = await startEngines()
  try {
    const film = await makeFilm(folder, 'film', FILM)
    const megabytes = (statSync(film).size / 1e6).toFixed(1)
    print(
      `machines: ${FILM.seconds / 60} minutes of film in one rendition, ${SECONDS_A_SEGMENT} s waited for each of its segments`,
    )
    const ffmpeg = slowEncoder(folder, SECONDS_A_SEGMENT)
    const one = await measure(1, film, { ffmpeg, folder, servers: engines.servers })
    const ten = await measure(WORKERS, film, { ffmpeg, folder, servers: engines.servers })
    print(`  does not spread: the original, ${megabytes} MB taken from the store by each worker`)
    line(`${WORKERS} workers beside one: pictures`, one.pictures / ten.pictures, { atLeast: 0.8 * WORKERS })
    line(`${WORKERS} workers beside one: all of it`, one.all / ten.all, { atLeast: 1 })
  } finally {
    await engines.stop()
    rmSync(folder, { recursive: true })
  }
}

interface Where {
  ffmpeg: string
  folder: string
  servers: Servers
}

/** Seconds from `complete` to the last segment, by so many workers. */
async function measure(count: number, film: string, { ffmpeg, folder, servers }: Where) {
  const installation = await startInstallation({ apis: 1, workers: 0 }, servers)
  const { machines, reached, remove } = startMachines(count)
  const env: Record<string, string> = {
    ...installation.env,
    MARQUEE_ROLES: 'worker',
    MARQUEE_HOST: '0.0.0.0',
    MARQUEE_PORT: '8080',
    MARQUEE_FFMPEG: ffmpeg,
  }
  for (const name of ['MARQUEE_DATABASE_URL', 'MARQUEE_REDIS_URL', 'MARQUEE_S3_ENDPOINT'])
    env[name] = await reached(env[name]!)
  const clickHouse = env.MARQUEE_CLICKHOUSE_URL!.split(',')
  env.MARQUEE_CLICKHOUSE_URL = (await Promise.all(clickHouse.map((url) => reached(url)))).join(',')
  const workers = await Promise.all(
    machines.map(({ within }) => startService({ dataDir: emptyDataDir(), env, within })),
  )
  try {
    const { url } = installation.apis[0]!
    const watcher = watcherOf({ url, quickstart: installation.quickstart }, folder)
    const id = await watcher.send(film, 'shorts')
    const began = performance.now()
    const secondsSoFar = () => (performance.now() - began) / 1000
    await watcher.complete(id)
    const took: { video?: number; audio?: number } = {}
    for (;;) {
      const { status, reason, renditions } = await watcher.progress(id)
      if (status === 'failed') throw new Error(reason)
      for (const kind of ['video', 'audio'] as const) {
        const ofKind = renditions.filter((one) => one.kind === kind)
        if (ofKind.every((one) => one.segments_made === one.segments)) took[kind] ??= secondsSoFar()
      }
      if (status === 'complete') break
      await sleep(100)
    }
    const all = secondsSoFar()
    const { video: pictures = all, audio: sound = all } = took
    const said = count === 1 ? 'one worker' : `${count} workers`
    print(`  ${said}: pictures ${pictures.toFixed(1)} s; sound, by one of them beside, ${sound.toFixed(1)} s`)
    return { pictures, all }
  } finally {
    await Promise.all(workers.map(({ stop }) => stop()))
    for (const { dataDir } of workers) discard(dataDir)
    await installation.stop()
    remove()
  }
}
