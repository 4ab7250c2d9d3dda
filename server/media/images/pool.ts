import { open } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { residentBytes } from '../process-tree.ts'
import { detectSandbox, type Sandbox } from '../sandbox.ts'
import { ImageWorkerFailed } from './errors.ts'
import { readFormat } from './input.ts'
import type { ImagePool, Priority } from './port.ts'
import type { Result, Task } from './protocol.ts'
import { startWorker, type Worker } from './worker.ts'

export interface ImagePoolOptions {
  /** Most children at a time. */
  size?: number
  /** Of one child. */
  memoryLimitBytes?: number
  /** For one image, from its start to its answer. */
  timeoutMs?: number
  /** A child ends after so many images, which bounds whatever leaks or was tampered with. */
  jobsPerChild?: number
  /** How long a child that has nothing to do is kept; one stays warm unless `prewarm` is off. */
  idleMs?: number
  /** A child that stays warm is replaced when it kept more than this of its last images. */
  idleMemoryBytes?: number
  prewarm?: boolean
  sandbox?: Sandbox
}

interface Job {
  /** Its place in the order of asking, which looking at the files first must not change. */
  ticket: number
  task: Task
  input: string
  output: string
  resolve(result: Result & { bytes: number }): void
  reject(error: unknown): void
}

export function createImagePool({
  size = availableParallelism(),
  memoryLimitBytes = 2560 * 2 ** 20,
  timeoutMs = 120_000,
  jobsPerChild = 200,
  idleMs = 30_000,
  idleMemoryBytes = 160 * 2 ** 20,
  prewarm = true,
  sandbox = detectSandbox(),
}: ImagePoolOptions = {}): ImagePool {
  const waiting: Record<Priority, Job[]> = { interactive: [], background: [] }
  const workers = new Set<Worker>()
  const idle = new Map<Worker, NodeJS.Timeout>()
  let tickets = 0
  let closed = false

  function start(): Worker {
    const worker = startWorker({ sandbox, memoryLimitBytes, timeoutMs, threads: availableParallelism() })
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
    while (waiting.interactive.length + waiting.background.length > 0) {
      const worker = takeIdle() ?? (workers.size < size ? start() : undefined)
      if (!worker) return
      work(worker, (waiting.interactive.shift() ?? waiting.background.shift())!)
    }
  }

  async function work(worker: Worker, { task, input, output, resolve, reject }: Job): Promise<void> {
    try {
      await using file = await open(input)
      resolve(await worker.run(task, file, output))
    } catch (error) {
      reject(error)
    }
    if (closed) return
    // One that died has been forgotten by now.
    if (worker.jobs >= jobsPerChild) retire(worker)
    else if (workers.has(worker)) rest(worker)
    dispatch()
    keepWarm()
  }

  function enqueue(job: Omit<Job, 'resolve' | 'reject'>, priority: Priority = 'interactive') {
    return new Promise<Result & { bytes: number }>((resolve, reject) => {
      if (closed) throw stopping()
      waiting[priority].push({ ...job, resolve, reject })
      waiting[priority].sort((a, b) => a.ticket - b.ticket)
      dispatch()
    })
  }

  keepWarm()
  return {
    async convert({ input, output, priority, ...settings }) {
      const ticket = ++tickets
      const source = await readFormat(input, { avif: false })
      const task: Task = { ...settings, operation: 'convert', source }
      return enqueue({ ticket, task, input, output }, priority)
    },
    async resize({ input, output, priority, ...settings }) {
      const ticket = ++tickets
      const source = await readFormat(input, { avif: true })
      const task: Task = { ...settings, operation: 'resize', source }
      const { width, height, bytes } = await enqueue({ ticket, task, input, output }, priority)
      return { width, height, bytes }
    },
    async close() {
      closed = true
      for (const job of [...waiting.interactive.splice(0), ...waiting.background.splice(0)])
        job.reject(stopping())
      const ending = [...workers]
      for (const worker of ending) worker.kill(STOPPING)
      await Promise.all(ending.map((worker) => worker.exited))
    },
  }
}

const STOPPING = 'the service is stopping'
const stopping = () => new ImageWorkerFailed(STOPPING)
