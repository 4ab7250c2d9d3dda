import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { startNginx } from './baselines/nginx.ts'
import { makeFilm } from './support/film.ts'
import { line, median, print } from './support/report.ts'
import { startService } from './support/service.ts'
import { watcherOf } from './support/watch.ts'

const SECONDS = 60
const ROUNDS = 7
const AT_ONCE = 4

/** A finished video as one MP4, put together from its segments, beside nginx with the same bytes in one file. */
export async function run(): Promise<void> {
  const service = await startService({
    // Nothing is made beside what is asked for.
    MARQUEE_ROLES: 'api',
    MARQUEE_LIMIT_DELIVERY_PER_MINUTE: '1000000000',
  })
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-downloads-'))
  const film = await makeFilm(folder, 'film', { width: 1920, height: 1080, seconds: SECONDS, keyEvery: 60 })
  const watcher = watcherOf(service, folder)
  const { playlist } = await watcher.complete(await watcher.send(film, 'shorts'))
  const url = new URL('download.mp4', playlist).href
  const content = Buffer.from(await (await fetch(url)).arrayBuffer())
  print(
    `downloads: a film of ${SECONDS} s, ${Math.round(content.length / 1e6)} MB, ${AT_ONCE} at once, median of ${ROUNDS} rounds`,
  )
  const nginx = await startNginx({ name: 'film.mp4', content })
  if (nginx) {
    const seen: [number[], number[]] = [[], []]
    // The first round warms both up and is not counted.
    for (let round = 0; round <= ROUNDS; round++)
      for (const side of [0, 1] as const) {
        const rate = await rateOf([url, nginx.url][side]!, content.length)
        if (round > 0) seen[side].push(rate)
      }
    const [ours, theirs] = [median(seen[0]), median(seen[1])]
    print(`  GET {url}/download.mp4: ${Math.round(ours)} MB/s, nginx ${Math.round(theirs)} MB/s`)
    line('ratio', ours / theirs, { atLeast: 0.3 })
    await nginx.stop()
  }
  await service.stop()
  rmSync(folder, { recursive: true })
}

/** MB a second of some downloads at once, whose bytes are counted and thrown away. */
async function rateOf(url: string, length: number): Promise<number> {
  const begun = performance.now()
  const counted = await Promise.all(Array.from({ length: AT_ONCE }, () => lengthOf(url)))
  if (counted.some((bytes) => bytes !== length))
    throw new Error(`${url}: ${counted} bytes instead of ${length}`)
  return (AT_ONCE * length) / 1000 / (performance.now() - begun)
}

function lengthOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { agent: false }, (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
        })
        response.once('end', () => resolve(bytes))
        response.once('error', reject)
      })
      .once('error', reject)
  })
}
