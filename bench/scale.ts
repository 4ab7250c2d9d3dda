import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { connect, type Sql } from '../server/platform/postgres/client.ts'
import { startEngines } from '../test/support/scale/engines.ts'
import { type Installation, startInstallation } from '../test/support/scale/installation.ts'
import { type Spread, scaledBy, spreadOf, writeFigures } from './support/figures.ts'
import { makeFilm } from './support/film.ts'
import { requestOf } from './support/many-events.ts'
import { addFeeds, addPosts, databaseOf } from './support/many-posts.ts'
import { ignoreBody, type Load, rateOf } from './support/rates.ts'
import { line, median, print } from './support/report.ts'
import { startService } from './support/service.ts'
import { bytesOfEvents, bytesOfPosts, bytesOfRecords, type EventsPlace } from './support/sizes.ts'
import { watcherOf } from './support/watch.ts'

const ROUNDS = 7
const FILMS = 3
const CONNECTIONS = 32
/** Fewer, so that what is under way at the end of a round, and not counted, is little. */
const SEGMENT_CONNECTIONS = 4
const POSTS = 20_000
const EVENTS_A_REQUEST = 100
/** Of which nothing can be copied. */
const FILM = { width: 1920, height: 1080, seconds: 24, keyEvery: 720 }
/** The third: the first ones are shorter than all others. */
const SEGMENT = '2.m4s'
const UNLIMITED = {
  MARQUEE_LIMIT_KEY_PER_MINUTE: '0',
  MARQUEE_LIMIT_EVENTS_PER_MINUTE: '0',
  MARQUEE_LIMIT_PUBLIC_PER_MINUTE: '0',
}

interface Side {
  name: string
  /** Of each process that answers. */
  urls: string[]
  quickstart: Installation['quickstart']
  sql: Sql
}

/** Two processes on the cores of one, and engines by address beside those inside. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-bench-'))
  const engines = await startEngines()
  const embedded = await startService(UNLIMITED)
  const several = (apis: number) =>
    startInstallation({ apis, workers: apis, env: UNLIMITED }, engines.servers)
  const [one, two] = [await several(1), await several(2)]
  const sideOf = (name: string, { apis, quickstart, databaseUrl }: Installation): Side => {
    return {
      name,
      quickstart,
      urls: apis.map(({ url }) => url),
      sql: connect({ url: databaseUrl }, { max: 2 }),
    }
  }
  const { url, quickstart, dataDir } = embedded
  const sides: Side[] = [
    { name: 'one process, engines inside', urls: [url], quickstart, sql: databaseOf(dataDir) },
    sideOf('one process of each role, engines by address', one),
    sideOf('two processes of each role, engines by address', two),
  ]
  try {
    const film = await makeFilm(folder, 'film', FILM)
    const [feed_pages, events] = [await compareFeeds(sides), await compareIntake(sides)]
    const played = await compareSegments(sides, film, folder)
    const films = await compareFilms(sides, film, folder)
    const place = { ...engines.servers.engines.clickHouse, database: one.env.MARQUEE_CLICKHOUSE_DATABASE! }
    const sizes = await measureSizes(sides[1]!, { film, folder, events: place })
    const encoded_minutes_an_hour = scaledBy(films, FILM.seconds / 60)
    writeFigures({ feed_pages, events, ...played, encoded_minutes_an_hour, ...sizes })
    print('scale: docs/scale-figures.json is written; npm run generate puts it into docs/scale.md')
  } finally {
    for (const { sql } of sides) await sql.end()
    for (const { stop } of [embedded, one, two]) await stop()
    await engines.stop()
    rmSync(folder, { recursive: true })
  }
}

async function compareFeeds(sides: Side[]): Promise<Required<Spread>> {
  print(`scale: pages of 25 of a feed of ${POSTS} posts, ${CONNECTIONS} connections`)
  const feeds = new Map<Side, string>()
  for (const side of sides) {
    const { project_id } = side.quickstart
    const [feed] = await addFeeds(side.sql, project_id, 1)
    await addPosts(side.sql, project_id, feed!, POSTS)
    feeds.set(side, feed!)
  }
  return compare(sides, {
    rounds: ROUNDS,
    unit: 'pages/s',
    atLeast: { address: 0.5, two: 0.8 },
    measure: (side) => rate(side, { path: `/feeds/${feeds.get(side)}?limit=25` }),
  })
}

async function compareIntake(sides: Side[]): Promise<Required<Spread>> {
  print(`scale: requests with ${EVENTS_A_REQUEST} events, ${CONNECTIONS} connections`)
  const body = requestOf(EVENTS_A_REQUEST)
  const asked = { path: '/analytics/v1/events', method: 'POST' as const, body }
  return compare(sides, {
    rounds: ROUNDS,
    unit: 'events/s',
    atLeast: { address: 0.5, two: 0.8 },
    measure: async (side) => EVENTS_A_REQUEST * (await rate(side, asked)),
  })
}

/** A player fetches two streams: the pictures, here of the top rung, and the sound. */
async function compareSegments(sides: Side[], film: string, folder: string) {
  const playlists = new Map<Side, URL>()
  for (const side of sides) {
    const watcher = watcherOf({ url: side.urls[0]!, quickstart: side.quickstart }, folder)
    const id = await watcher.send(film, 'shorts')
    playlists.set(side, (await watcher.complete(id)).playlist)
    // Nothing is encoded beside it any more.
    await watcher.untilAllIsMade(id)
  }
  const addressOf = (side: Side, rendition: string) =>
    side.urls[0]! + new URL(`${rendition}/${SEGMENT}`, playlists.get(side)!).pathname
  const top = `v${Math.min(FILM.width, FILM.height)}`
  const compareOne = async (rendition: string) => {
    const made = await Promise.all(sides.map((side) => fetch(addressOf(side, rendition))))
    const [bytes] = await Promise.all(made.map(async (answer) => (await answer.arrayBuffer()).byteLength))
    print(
      `scale: a segment of ${rendition}, of a video for everybody, ${bytes} bytes, ${SEGMENT_CONNECTIONS} connections`,
    )
    const rates = await compare(sides, {
      rounds: ROUNDS,
      unit: 'segments/s',
      atLeast: { address: 0.2, two: 0.8 },
      measure: (side) =>
        rate(side, {
          path: new URL(addressOf(side, rendition)).pathname,
          connections: SEGMENT_CONNECTIONS,
          setupClient: ignoreBody,
        }),
    })
    return { rates, bytes: bytes! }
  }
  const [pictures, sound] = [await compareOne(top), await compareOne('a0')]
  return {
    picture_segments: pictures.rates,
    sound_segments: sound.rates,
    segment_bytes: { picture: pictures.bytes, sound: sound.bytes },
  }
}

async function compareFilms(sides: Side[], film: string, folder: string): Promise<Required<Spread>> {
  print('scale: 24 s of 1080p that cannot be copied, from its complete to its last segment')
  const measure = async ({ urls, quickstart }: Side) => {
    const watcher = watcherOf({ url: urls[0]!, quickstart }, folder)
    const id = await watcher.send(film, 'shorts')
    const began = performance.now()
    await watcher.complete(id)
    await watcher.untilAllIsMade(id)
    const perHour = 3_600_000 / (performance.now() - began)
    await watcher.remove(id)
    return perHour
  }
  return compare(sides, { rounds: FILMS, unit: 'films/hour', atLeast: { address: 0.7, two: 0.8 }, measure })
}

interface Asked extends Pick<Load, 'setupClient'> {
  path: string
  /** Of all processes together. */
  connections?: number
  method?: 'POST'
  body?: string
}

/** Of all processes of a side together, each with its part of the connections. */
async function rate(
  { urls, quickstart }: Side,
  { path, method, body, connections: all = CONNECTIONS, setupClient }: Asked,
): Promise<number> {
  const headers = { 'x-api-key': quickstart.api_key, ...(body && { 'content-type': 'application/json' }) }
  const connections = all / urls.length
  const rates = await Promise.all(
    urls.map((url) => rateOf(url + path, { method, headers, body, connections, setupClient })),
  )
  return rates.reduce((sum, each) => sum + each)
}

interface Comparison {
  rounds: number
  unit: string
  atLeast: { address: number; two: number }
  measure(side: Side): Promise<number>
}

/** In turns, never the same one first; the first round warms up. Answers what the second side has done. */
async function compare(
  sides: Side[],
  { rounds, unit, atLeast, measure }: Comparison,
): Promise<Required<Spread>> {
  const seen = sides.map((): number[] => [])
  for (let round = 0; round <= rounds; round++)
    for (let turn = 0; turn < sides.length; turn++) {
      const side = (round + turn) % sides.length
      const figure = await measure(sides[side]!)
      if (round > 0) seen[side]!.push(figure)
    }
  for (const [i, { name }] of sides.entries()) {
    const { median, least, most } = spreadOf(seen[i]!)
    const [figure, low, high] = [median, least, most].map(Math.round)
    print(`  ${name}: ${figure} ${unit} (${low} to ${high})`)
  }
  const [inside, one, two] = seen as [number[], number[], number[]]
  const ratios = (of: number[], by: number[]) => median(of.map((figure, round) => figure / by[round]!))
  line('engines by address beside those inside', ratios(one, inside), { atLeast: atLeast.address })
  line('two processes beside one on the same cores', ratios(two, one), { atLeast: atLeast.two })
  return spreadOf(one)
}

/** What is written for a video, a post and an event, and in how many rungs a video is. */
async function measureSizes(
  side: Side,
  { film, folder, events }: { film: string; folder: string; events: EventsPlace },
) {
  const { urls, quickstart, sql } = side
  const watcher = watcherOf({ url: urls[0]!, quickstart }, folder)
  const id = await watcher.send(film, 'shorts')
  await watcher.complete(id)
  const { renditions } = await watcher.untilAllIsMade(id)
  print('scale: bytes on disk of a record, with indexes')
  const bytes = {
    ...(await bytesOfRecords(sql, id)),
    post: await bytesOfPosts(sql, quickstart.project_id, POSTS),
    event: await bytesOfEvents({ url: urls[0]!, quickstart }, events),
  }
  for (const [what, size] of Object.entries(bytes)) print(`  ${what.padEnd(10)} ${size}`)
  return { rungs: renditions.filter(({ kind }) => kind === 'video').length, bytes }
}
