import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { makePhoto, type Photo } from './support/photo.ts'
import { line, median, print } from './support/report.ts'
import { startService } from './support/service.ts'
import { uploaderTo } from './support/upload.ts'

const CLIENTS = 8
const IMAGES_EACH = 3
const THROUGHPUT_ROUNDS = 3

type Uploader = ReturnType<typeof uploaderTo>
type Bare = ReturnType<typeof startBare>

/** From `complete` to `ready`, and images a minute, beside sharp alone in a loop. */
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
    const bareTaken = await bare.convert(photo, 1)
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
    theirs.push(perMinute(await bare.convert(photo, count)))
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

function startBare() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-bench-'))
  const child = fork(path.join(import.meta.dirname, 'baselines/bare-sharp.ts'))
  const ended = once(child, 'exit')
  return {
    /** Milliseconds for converting a photo so many times. */
    async convert({ jpeg, megapixels }: Photo, times: number): Promise<number> {
      const file = path.join(folder, `${megapixels}.jpg`)
      writeFileSync(file, jpeg)
      child.send({ file, times })
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
