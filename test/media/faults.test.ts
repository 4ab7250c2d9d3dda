import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'
import { ImageWorkerFailed, UnsupportedImage } from '../../server/media/images/errors.ts'
import type { ImagePoolOptions } from '../../server/media/images/pool.ts'
import { children, cpuMilliseconds, descendants } from '../../server/media/process-tree.ts'
import { pixelBomb, scene } from '../fixtures/images.ts'
import { openWorkbench } from './workbench.ts'

let bench: Awaited<ReturnType<typeof openWorkbench>>
afterEach(() => bench.close())

async function open(options: ImagePoolOptions) {
  bench = await openWorkbench(options)
  return bench
}
/** The one that decodes: the innermost, below whatever walls it in. */
const decoder = () => descendants(process.pid).at(-1)
const until = async (happened: () => boolean) => {
  while (!happened()) await sleep(5)
}
/** Some way into a job, not just starting: that takes a third of a second. */
const untilBusy = () => until(() => children(process.pid).some((pid) => cpuMilliseconds(pid) > 1500))
// At the highest effort a job lasts long enough to be caught in the middle.
const slow = async () => scene(1600, 1000).png().toBuffer()
const quick = async () => scene(64, 64).png().toBuffer()
const failure = (job: Promise<unknown>) => job.then(() => undefined).catch((error: unknown) => error as Error)

test('a child that is killed takes down its own job only', async () => {
  await open({ size: 1 })
  const output = bench.nextOutput()
  const doomed = failure(bench.convert(await slow(), { effort: 9, output }))
  await untilBusy()
  const queued = bench.convert(await quick())
  process.kill(decoder()!, 'SIGKILL')
  const error = await doomed
  expect(error).toBeInstanceOf(ImageWorkerFailed)
  expect(error!.message).toBe('the image process stopped unexpectedly')
  expect(existsSync(output)).toBe(false)
  expect((await queued).width).toBe(64)
})

test('a child that hangs is ended and replaced', async () => {
  await open({ size: 1, stallMs: 5000 })
  await bench.convert(await quick())
  const hung = decoder()!
  process.kill(hung, 'SIGSTOP')
  const error = await failure(bench.convert(await slow()))
  expect(error).toBeInstanceOf(ImageWorkerFailed)
  expect(error!.message).toBe('the image process did nothing for 5 s')
  await until(() => !existsSync(`/proc/${hung}`))
  expect((await bench.convert(await quick())).width).toBe(64)
})

test('a child that grows too large is ended and replaced', async () => {
  await open({ size: 1, memoryLimitBytes: 150 * 2 ** 20 })
  const huge = await sharp(pixelBomb(7000)).png().toBuffer()
  const error = await failure(bench.convert(huge, { effort: 4 }))
  expect(error).toBeInstanceOf(UnsupportedImage)
  expect(error!.message).toBe('the image needs more than 150 MB of memory')
  expect((await bench.convert(await quick())).width).toBe(64)
})

test('an image that takes too much processor time is refused; what waits for a busy machine is not', async () => {
  await open({ size: 1, cpuLimitMs: 2000, stallMs: 600_000 })
  const error = await failure(bench.convert(await slow(), { effort: 9 }))
  expect(error).toBeInstanceOf(UnsupportedImage)
  expect(error!.message).toBe('the image takes more than 2 s of processor time')
  const image = await quick()
  await bench.convert(image)
  // For longer than the limit it gets no processor time at all.
  const stopped = decoder()!
  process.kill(stopped, 'SIGSTOP')
  const patient = bench.convert(image)
  await sleep(2500)
  process.kill(stopped, 'SIGCONT')
  expect((await patient).width).toBe(64)
})

/** More than a pipe holds: some of it is still to be read when its reader is gone. */
const heavy = async () =>
  sharp({
    create: {
      width: 64,
      height: 2000,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer()

test.each([
  ['small', quick],
  ['heavy', heavy],
] as const)('a child that ends before it has begun with a %s job does not take it down', async (_, make) => {
  await open({ size: 1 })
  await bench.convert(await quick())
  const idle = decoder()!
  process.kill(idle, 'SIGSTOP')
  const before = descendants(process.pid).length
  const handed = bench.convert(await make())
  // Handed over, as far as the pool can tell, and never read.
  await sleep(300)
  expect(descendants(process.pid)).toHaveLength(before)
  process.kill(idle, 'SIGKILL')
  expect((await handed).width).toBe(64)
})

test('tenants take turns, and one more child is there for whoever has none', async () => {
  await open({ size: 1 })
  const image = await quick()
  const finished: string[] = []
  const job = (name: string, tenant: string) =>
    bench.convert(image, { tenant }).then(() => finished.push(name))
  const first = bench.convert(await slow(), { tenant: 'a', effort: 6 })
  await untilBusy()
  // It lasts as long as the others need, however fast the machine is.
  const held = decoder()!
  process.kill(held, 'SIGSTOP')
  const theirs = Promise.all(['a1', 'a2', 'a3'].map((name) => job(name, 'a')))
  await job('b', 'b')
  await job('c', 'c')
  expect(finished).toEqual(['b', 'c'])
  process.kill(held, 'SIGCONT')
  await Promise.all([first, theirs])
  expect(finished.toSorted()).toEqual(['a1', 'a2', 'a3', 'b', 'c'])
})

test('interactive jobs go before background ones, each in the order they came', async () => {
  await open({ size: 1 })
  const input = await bench.put(await quick())
  const finished: string[] = []
  const job = (name: string, priority: 'interactive' | 'background') =>
    bench.pool
      .convert({ input, output: bench.nextOutput(), tenant: 'one', effort: 0, priority })
      .then(() => finished.push(name))
  const first = bench.convert(await slow())
  await until(() => decoder() !== undefined)
  await Promise.all([
    first,
    job('b1', 'background'),
    job('b2', 'background'),
    job('i1', 'interactive'),
    job('i2', 'interactive'),
  ])
  expect(finished).toEqual(['i1', 'i2', 'b1', 'b2'])
})

test('a child ends after its share of jobs', async () => {
  await open({ size: 1, jobsPerChild: 2 })
  const seen: (number | undefined)[] = []
  for (let i = 0; i < 4; i++) {
    await bench.convert(await quick(), { effort: 0 })
    seen.push(decoder())
  }
  expect(new Set(seen.filter(Boolean)).size).toBeGreaterThan(1)
})

test('one child stays warm; those started for a rush leave', async () => {
  await open({ size: 2, prewarm: true, idleMs: 200, idleMemoryBytes: 2 ** 30 })
  // One of another test may take a moment to leave.
  await until(() => children(process.pid).length === 1)
  const image = await quick()
  const rush = Promise.all([1, 2, 3, 4].map(() => bench.convert(image)))
  await until(() => children(process.pid).length === 2)
  await rush
  await until(() => children(process.pid).length === 1)
  await sleep(400)
  expect(children(process.pid)).toHaveLength(1)
})

test('a warm child that kept much memory makes room for a fresh one', async () => {
  await open({ size: 1, prewarm: true, idleMs: 200, idleMemoryBytes: 1 })
  const [first] = children(process.pid)
  await bench.convert(await quick())
  await until(() => children(process.pid).length === 1 && children(process.pid)[0] !== first)
  const [second] = children(process.pid)
  await sleep(400)
  expect(children(process.pid)).toEqual([second])
})

test('closing ends every child and every job', async () => {
  await open({ size: 1 })
  const running = failure(bench.convert(await slow(), { effort: 9 }))
  await until(() => decoder() !== undefined)
  const queued = failure(bench.convert(await quick()))
  await sleep(500)
  await bench.pool.close()
  expect((await running)!.message).toBe('the service is stopping')
  expect((await queued)!.message).toBe('the service is stopping')
  await until(() => descendants(process.pid).length === 0)
  expect(await failure(bench.convert(await quick()))).toBeInstanceOf(ImageWorkerFailed)
})

test('a full or missing disk is not blamed on the image', async () => {
  await open({ size: 1 })
  const error = await failure(bench.convert(await quick(), { output: '/nowhere/out.avif' }))
  expect(error).toMatchObject({ code: 'ENOENT' })
  expect((await bench.convert(await quick())).width).toBe(64)
})
