import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ladder, type Quality } from '../server/media/video/ladder.ts'
import { busySeconds, plainLadder, plainRemux } from './baselines/plain-ffmpeg.ts'
import { makeFilm, repeatFilm } from './support/film.ts'
import { line, median, print } from './support/report.ts'
import { startService } from './support/service.ts'
import { watcherOf } from './support/watch.ts'

const ROUNDS = 3
const PLAYERS = 20
const LOOKS = 1500
const LIMITS = { MARQUEE_LIMIT_KEY_PER_MINUTE: '1000000000', MARQUEE_LIMIT_DELIVERY_PER_MINUTE: '1000000000' }
const FULL_HD = { width: 1920, height: 1080, seconds: 30 }

type Watcher = ReturnType<typeof watcherOf>

/** How soon a video plays, what all of its renditions cost, and who feels it, beside plain ffmpeg. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-bench-'))
  try {
    print('videos: makes its sources first, which takes minutes')
    const short = await makeFilm(folder, 'short', { ...FULL_HD, keyEvery: 60 })
    const long = await repeatFilm(folder, 'long', short, 60)
    const uncut = await makeFilm(folder, 'uncut', { ...FULL_HD, keyEvery: 900 })
    const huge = await makeFilm(folder, 'huge', { width: 3840, height: 2160, seconds: 30, keyEvery: 900 })

    const service = await startService(LIMITS)
    const watcher = watcherOf(service, folder)
    await compareStart(watcher, folder, short, long)
    print('videos: all renditions, beside one ffmpeg command that makes the same')
    await compareLadder(watcher, folder, { source: uncut, quality: 'basic', usual: '1' })
    await compareLadder(watcher, folder, { source: uncut, quality: 'shorts', usual: '1.5' })
    await compareLadder(watcher, folder, { source: short, quality: 'shorts', usual: '1.5' })
    await compareLadder(watcher, folder, {
      source: huge,
      quality: 'pro',
      usual: '2 to 3',
      width: 3840,
      height: 2160,
    })
    await countEncodes(watcher, uncut)
    await compareLooks(watcher, uncut)
    await service.stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compareStart(watcher: Watcher, folder: string, short: string, long: string): Promise<void> {
  print('videos: from the answer of complete to the first picture and sound decoded by ffprobe')
  for (const [what, rendition] of [
    ['copied', 'v1080'],
    ['encoded', 'v360'],
  ] as const) {
    const waits: Record<string, number> = {}
    for (const [length, source] of [
      ['30 s', short],
      ['30 min', long],
    ] as const) {
      const starts: number[] = []
      const completes: number[] = []
      // The first round warms up and is not counted.
      for (let round = 0; round <= ROUNDS; round++) {
        const videoId = await watcher.send(source, 'shorts')
        const before = performance.now()
        const { playlist } = await watcher.complete(videoId)
        const answered = performance.now()
        await watcher.playFirst(playlist, rendition)
        if (round > 0) {
          completes.push(answered - before)
          starts.push(performance.now() - answered)
        }
        await watcher.remove(videoId)
      }
      waits[length] = median(starts)
      const took = `complete took ${median(completes).toFixed()} ms, then playing ${waits[length].toFixed()} ms`
      print(`  ${length}, first rung ${what}: ${took}`)
    }
    const remuxes: number[] = []
    for (let round = 0; round < ROUNDS; round++) remuxes.push((await plainRemux(short, folder)).ms)
    const remux = median(remuxes)
    line(`${what}: 30 min beside 30 s`, waits['30 min']! / waits['30 s']!, { atMost: 1.5 })
    print(
      `  ${what}: 30 s beside remuxing 4 s by ffmpeg (${remux.toFixed()} ms): ${(waits['30 s']! / remux).toFixed(2)}`,
    )
  }
}

interface LadderCase {
  source: string
  quality: Quality
  /** What the interface says of the time it takes, in lengths of the video. */
  usual: string
  width?: number
  height?: number
}

async function compareLadder(
  watcher: Watcher,
  folder: string,
  { source, quality, usual, width = 1920, height = 1080 }: LadderCase,
): Promise<void> {
  const videoId = await watcher.send(source, quality)
  const [start, cpu] = [performance.now(), busySeconds()]
  await watcher.complete(videoId)
  const { renditions } = await watcher.untilAllIsMade(videoId)
  const ms = performance.now() - start
  await sleep(500)
  const cpuSeconds = busySeconds() - cpu
  await watcher.remove(videoId)
  const copies = path.basename(source) === 'short.mp4'
  const rungs = ladder(quality, { width, height, framesPerSecond: 30 }).map((rung) => ({
    ...rung,
    copied: copies && rung.height === height,
  }))
  const plain = await plainLadder(source, folder, rungs)
  const names = renditions.map(({ name }) => name).join(' ')
  print(`  ${height}p30, 30 s, ${quality}: ${names}${copies ? ', the last copied' : ''}`)
  line('time', ms / plain.ms, { atMost: 1.25 })
  line('processor time', cpuSeconds / plain.cpuSeconds, { atMost: 1.25 })
  print(`    ${(ms / 30_000).toFixed(2)} of the video's length; the interface says about ${usual}`)
}

async function countEncodes(watcher: Watcher, source: string): Promise<void> {
  const videoId = await watcher.send(source, 'basic')
  const before = await watcher.segmentsMade()
  const { playlist } = await watcher.complete(videoId)
  const { renditions } = await watcher.progress(videoId)
  const { segments } = renditions[0]!
  await Promise.all(Array.from({ length: PLAYERS }, () => watcher.playAll(playlist, 'v360', segments)))
  await watcher.untilAllIsMade(videoId)
  const made = (await watcher.segmentsMade()) - before
  print(`videos: ${PLAYERS} players start the same cold video`)
  line('encodes for each segment', made / (segments * renditions.length), { atMost: 1 })
  await watcher.remove(videoId)
}

async function compareLooks(watcher: Watcher, source: string): Promise<void> {
  print('videos: p99 of GET /videos/{id} while all cores encode, beside the same at rest')
  const first = await watcher.send(source, 'shorts')
  const { video } = await watcher.complete(first)
  await watcher.untilAllIsMade(first)
  await look(watcher, video.id, LOOKS)
  const idle = await look(watcher, video.id, LOOKS)
  const second = await watcher.send(source, 'shorts')
  await watcher.complete(second)
  await sleep(2000)
  const busy = await look(watcher, video.id, LOOKS)
  const { status } = await watcher.progress(second)
  if (status !== 'processing') print('  (the encoding ended before the measurement did)')
  print(`  at rest ${idle.toFixed(1)} ms, busy ${busy.toFixed(1)} ms`)
  line('ratio', busy / idle, { atMost: 3 })
  for (const id of [first, second]) await watcher.remove(id)
}

async function look({ show }: Watcher, videoId: string, times: number): Promise<number> {
  const taken: number[] = []
  for (let i = 0; i < times; i++) {
    const start = performance.now()
    await show(videoId)
    taken.push(performance.now() - start)
    await sleep(2)
  }
  return taken.sort((a, b) => a - b)[Math.floor(times * 0.99)]!
}
