import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { cpuMilliseconds } from '../server/media/process-tree.ts'
import type { BareTaken, BareTask } from './baselines/bare-sharp.ts'
import { makePhoto, type Photo } from './support/photo.ts'
import { line, median, print } from './support/report.ts'
import { startService } from './support/service.ts'
import { uploaderTo } from './support/upload.ts'

const CLIENTS = 8
const IMAGES_EACH = 3
const THROUGHPUT_ROUNDS = 3

type Uploader = ReturnType<typeof uploaderTo>
type Bare = ReturnType<typeof startBare>

/** From `complete` to `ready`, images a minute, and a size of a large picture, beside sharp alone in a loop. */
export async function run(): Promise<void> {
  // Without the worker: what it does later, in the background, is another claim.
  const service = await startService({ MARQUEE_ROLES: 'api', MARQUEE_LIMIT_KEY_PER_MINUTE: '1000000000' })
  const uploader = uploaderTo(service)
  const bare = startBare()
  const small = await makePhoto(1632, 1224)
  const large = await makePhoto(4000, 3000)

  print('images: JPEG to AVIF, beside sharp alone in a loop, in turn')
  await compareWait(small, 9, uploader, bare)
  await compareWait(large, 5, uploader, bare)
  await compareThroughput(small, uploader, bare)
  await compareSize(large, 9, uploader, bare, service.pid)
  await bare.stop()
  await service.stop()
}

async function compareWait(photo: Photo, rounds: number, uploader: Uploader, bare: Bare): Promise<void> {
  const ours: number[] = []
  const theirs: number[] = []
  // The first round warms both up and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const imageId = await uploader.send(photo.jpeg)
    const start = performance.now()
    await uploader.complete(imageId)
    const taken = performance.now() - start
    const { wallMs: bareTaken } = await bare.run(photo, { times: 1 })
    if (round === 0) continue
    ours.push(taken)
    theirs.push(bareTaken)
  }
  const [wait, bareWait] = [median(ours), median(theirs)]
  print(
    `  ${photo.megapixels} MP, median of ${rounds}: ready in ${wait.toFixed()} ms, bare ${bareWait.toFixed()} ms`,
  )
  line('ratio', wait / bareWait, { atMost: 1.3 })
}

async function compareThroughput(photo: Photo, uploader: Uploader, bare: Bare): Promise<void> {
  const count = CLIENTS * IMAGES_EACH
  const perMinute = (ms: number) => (count * 60_000) / ms
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < THROUGHPUT_ROUNDS; round++) {
    const start = performance.now()
    await Promise.all(Array.from({ length: CLIENTS }, () => uploadSome(photo, uploader)))
    ours.push(perMinute(performance.now() - start))
    theirs.push(perMinute((await bare.run(photo, { times: count })).wallMs))
  }
  const [rate, bareRate] = [median(ours), median(theirs)]
  print(
    `  ${photo.megapixels} MP, ${CLIENTS} clients, each from init to ready: ${rate.toFixed()} images a minute, bare ${bareRate.toFixed()}`,
  )
  line('ratio', rate / bareRate, { atLeast: 0.8 })
}

async function uploadSome({ jpeg }: Photo, { send, complete }: Uploader): Promise<void> {
  for (let i = 0; i < IMAGES_EACH; i++) await complete(await send(jpeg))
}

/** A size that nobody has asked for before, from the request to its last byte. */
async function compareSize(photo: Photo, rounds: number, uploader: Uploader, bare: Bare, pid: number) {
  const url = await uploader.complete(await uploader.send(photo.jpeg))
  const ours: BareTaken[] = []
  const theirs: BareTaken[] = []
  for (let round = 0; round <= rounds; round++) {
    const width = 1201 + round
    const taken = await timeOf(pid, `${url}?w=${width}&format=webp`)
    const bareTaken = await bare.run(photo, { times: 1, width })
    if (round === 0) continue
    ours.push(taken)
    theirs.push(bareTaken)
  }
  const of = (all: BareTaken[], which: keyof BareTaken) => median(all.map((taken) => taken[which]))
  const words = (all: BareTaken[]) =>
    `${of(all, 'wallMs').toFixed()} ms, ${of(all, 'cpuMs').toFixed()} of processor time`
  print(
    `  ${photo.megapixels} MP to w=1201&format=webp, median of ${rounds}: ${words(ours)}; bare ${words(theirs)}`,
  )
  line('size of a large picture: time', of(ours, 'wallMs') / of(theirs, 'wallMs'), { atMost: 1.1 })
  line('size of a large picture: processor time', of(ours, 'cpuMs') / of(theirs, 'cpuMs'), { atMost: 1.1 })
}

async function timeOf(pid: number, url: string): Promise<BareTaken> {
  const start = performance.now()
  const before = cpuMilliseconds(pid)
  const answer = await fetch(url)
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return { wallMs: performance.now() - start, cpuMs: cpuMilliseconds(pid) - before }
}

function startBare() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-bench-'))
  const child = fork(path.join(import.meta.dirname, 'baselines/bare-sharp.ts'))
  const ended = once(child, 'exit')
  return {
    async run({ jpeg, megapixels }: Photo, task: Omit<BareTask, 'file'>): Promise<BareTaken> {
      const file = path.join(folder, `${megapixels}.jpg`)
      writeFileSync(file, jpeg)
      child.send({ ...task, file } satisfies BareTask)
      const [taken] = await Promise.race([once(child, 'message'), ended])
      if (child.exitCode !== null) throw new Error(`bare sharp ended with ${child.exitCode}`)
      return taken
    },
    async stop() {
      child.kill()
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}
