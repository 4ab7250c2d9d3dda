import { open } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { type FairWaiter, fairQueue } from '../../base/async/fair-queue.ts'
import { traced } from '../../base/tracing.ts'
import { residentBytes } from '../process-tree.ts'
import { detectSandbox, type Sandbox } from '../sandbox.ts'
import { ImageWorkerFailed, ImageWorkerLost } from './errors.ts'
import { readFormat } from './input.ts'
import type { ConvertRequest, ImagePool } from './port.ts'
import type { ImageTask, Result } from './protocol.ts'
import type { ImageFormat } from './sniff.ts'
import { type ImageWork, startWorker, type Worker } from './worker.ts'

export interface ImagePoolOptions {
  /** Most children that one tenant can have at a time; all of them together have one more. */
  size?: number
  /** Of one child. */
  memoryLimitBytes?: number
  /** Processor time for one image that somebody waits for; those in the background may have more. */
  cpuLimitMs?: number
  /** How long a child may use no processor time before it counts as hung. */
  stallMs?: number
  /** A child ends after so many images, which bounds whatever leaks or was tampered with. */
  jobsPerChild?: number
  /** How long a child that has nothing to do is kept; one stays warm unless `prewarm` is off. */
  idleMs?: number
  /** A child that stays warm is replaced when it kept more than this of its last images. */
  idleMemoryBytes?: number
  prewarm?: boolean
  sandbox?: Sandbox
}

interface ImageJob extends FairWaiter, ImageWork {
  input: string
  resolve(made: Made): void
  reject(error: unknown): void
}

type Made = Result & { bytes: number }
type AskedImage = Pick<ConvertRequest, 'input' | 'output' | 'tenant' | 'priority'>

/** A smaller encoding takes four times as long. */
const BACKGROUND_WORK = 4

export function createImagePool({
  size = availableParallelism(),
  memoryLimitBytes = 2560 * 2 ** 20,
  cpuLimitMs = 60_000,
  stallMs = 120_000,
  jobsPerChild = 200,
  idleMs = 30_000,
  idleMemoryBytes = 160 * 2 ** 20,
  prewarm = true,
  sandbox = detectSandbox(),
}: ImagePoolOptions = {}): ImagePool {
  const queue = fairQueue<ImageJob>(size)
  const workers = new Set<Worker>()
  const idle = new Map<Worker, NodeJS.Timeout>()
  let tickets = 0
  let closed = false

  function start(): Worker {
    const worker = startWorker({ sandbox, memoryLimitBytes, stallMs, threads: availableParallelism() })
    workers.add(worker)
    worker.exited.then(() => forget(worker))
    return worker
  }

  function forget(worker: Worker): void {
    clearTimeout(idle.get(worker))
    idle.delete(worker)
    workers.delete(worker)
  }

  function retire(worker: Worker): void {
    forget(worker)
    worker.kill()
  }

  function rest(worker: Worker): void {
    const leave = () => {
      const isSpare = workers.size > 1 || !prewarm
      const isLean = worker.jobs === 0 || residentBytes(worker.pid!) <= idleMemoryBytes
      if (isLean && !isSpare) return
      retire(worker)
      keepWarm()
    }
    idle.set(worker, setTimeout(leave, idleMs).unref())
  }

  function keepWarm(): void {
    if (prewarm && !closed && workers.size === 0) rest(start())
  }

  function takeIdle(): Worker | undefined {
    const worker = [...idle.keys()].at(-1)
    clearTimeout(idle.get(worker!))
    idle.delete(worker!)
    return worker
  }

  function dispatch(): void {
    for (let next = queue.take(); next; next = queue.take()) work(next.job, next.release)
  }

  async function work(job: ImageJob, release: () => void): Promise<void> {
    try {
      job.resolve(await runOn(takeIdle() ?? start(), job))
    } catch (error) {
      job.reject(error)
    }
    release()
    if (closed) return
    dispatch()
    keepWarm()
  }

  async function runOn(worker: Worker, job: ImageJob, isLastTry = false): Promise<Made> {
    try {
      // Anew for each try: a file whose reading is broken off is closed by that.
      await using file = await open(job.input)
      return await worker.run(job, file)
    } catch (error) {
      // An idle child can end in the instant in which it is handed a job.
      if (!(error instanceof ImageWorkerLost) || isLastTry || closed) throw error
      return runOn(start(), job, true)
    } finally {
      // One that died has been forgotten by now.
      if (!closed && worker.jobs >= jobsPerChild) retire(worker)
      else if (!closed && workers.has(worker)) rest(worker)
    }
  }

  async function enqueue(
    { input, output, tenant, priority = 'interactive' }: AskedImage,
    taskOf: (source: ImageFormat) => ImageTask,
  ): Promise<Made> {
    // Taken before the file is looked at, which must not change the order of asking.
    const ticket = ++tickets
    const task = taskOf(await readFormat(input))
    const limit = priority === 'background' ? cpuLimitMs * BACKGROUND_WORK : cpuLimitMs
    const made = () =>
      new Promise<Made>((resolve, reject) => {
        if (closed) throw stopping()
        queue.push({ ticket, tenant, priority, task, input, output, cpuLimitMs: limit, resolve, reject })
        dispatch()
      })
    // With the wait for its turn.
    return traced(() => ({ name: 'image process', kind: 'client', attributes: { priority } }), made)
  }

  keepWarm()
  return {
    convert: ({ input, output, tenant, priority, ...settings }) =>
      enqueue({ input, output, tenant, priority }, (source) => ({
        operation: 'convert',
        source,
        ...settings,
      })),
    async resize({ input, output, tenant, priority, ...settings }) {
      const asked = { input, output, tenant, priority }
      const made = await enqueue(asked, (source) => ({ operation: 'resize', source, ...settings }))
      return { width: made.width, height: made.height, bytes: made.bytes }
    },
    async close() {
      closed = true
      for (const job of queue.clear()) job.reject(stopping())
      const ending = [...workers]
      for (const worker of ending) worker.kill(stopping())
      await Promise.all(ending.map((worker) => worker.exited))
    },
  }
}

const stopping = () => new ImageWorkerFailed('the service is stopping')
