import { spawn } from 'node:child_process'
import { type FileHandle, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { FrameReader, frameHead } from '../frames.ts'
import { cpuMilliseconds, residentBytes } from '../process-tree.ts'
import { type Sandbox, sandboxed } from '../sandbox.ts'
import { ImageWorkerFailed, ImageWorkerLost, UnsupportedImage } from './errors.ts'
import { type ImageAnswer, type ImageTask, type Result, readAnswer } from './protocol.ts'

export interface WorkerOptions {
  sandbox: Sandbox
  memoryLimitBytes: number
  /** A child that uses no processor time for so long hangs, however busy the machine is. */
  stallMs: number
  threads: number
}

export interface ImageWork {
  task: ImageTask
  output: string
  /** Processor time, which is the same on a busy machine and on a quiet one. */
  cpuLimitMs: number
}

/** One child process, which does one job at a time. */
export interface Worker {
  pid: number | undefined
  jobs: number
  exited: Promise<void>
  /** Throws ImageWorkerLost where the child ended before it had begun. */
  run(work: ImageWork, input: FileHandle): Promise<Result & { bytes: number }>
  kill(why?: Error): void
}

const CHECKOUT = path.resolve(import.meta.dirname, '../../..')
const CHECK_MS = 100
const CHUNK_BYTES = 256 * 1024
const MAX_OUTPUT_BYTES = 256 * 2 ** 20
const STOPPED = 'the image process stopped unexpectedly'

export function startWorker(options: WorkerOptions): Worker {
  const child = spawnChild(options)
  /** What the job is told that ends with the child. */
  let reason: Error | undefined
  let alive = true
  const exited = new Promise<void>((resolve) => {
    const gone = () => {
      alive = false
      resolve()
    }
    child.once('exit', gone).once('error', gone)
  })
  const answers = new FrameReader(child.stdout)
  // Whoever waits for the write hears of it; without a listener it would end the service.
  child.stdin.on('error', () => {})

  function kill(why?: Error): void {
    if (!alive) return
    reason ??= why
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      child.kill('SIGKILL')
    }
  }

  async function send(task: ImageTask, input: FileHandle): Promise<void> {
    const { size } = await input.stat()
    const write = (chunk: Buffer) =>
      new Promise<void>((resolve, reject) =>
        child.stdin.write(chunk, (error) => (error ? reject(new ImageWorkerFailed(STOPPED)) : resolve())),
      )
    await write(frameHead(task, size))
    const file = input.createReadStream({
      start: 0,
      end: size - 1,
      highWaterMark: CHUNK_BYTES,
      autoClose: false,
    })
    for await (const chunk of file) await write(chunk)
  }

  async function nextAnswer(): Promise<{ answer: ImageAnswer; payloadBytes: number }> {
    const frame = await answers.next()
    if (!frame) throw new ImageWorkerFailed(STOPPED)
    return { answer: readAnswer(frame.header), payloadBytes: frame.payloadBytes }
  }

  async function receive(output: string): Promise<Result & { bytes: number }> {
    const { answer, payloadBytes } = await nextAnswer()
    if (answer.outcome === 'unsupported') throw new UnsupportedImage(answer.reason)
    if (answer.outcome !== 'done' || payloadBytes > MAX_OUTPUT_BYTES)
      throw new ImageWorkerFailed('the image could not be processed')
    const file = await open(output, 'w')
    try {
      for await (const chunk of answers.payload(payloadBytes)) await file.write(chunk)
    } finally {
      await file.close()
    }
    const { outcome: _, ...result } = answer
    return { ...result, bytes: payloadBytes }
  }

  /** Ends the child when the job takes more than is allowed, which is the image's fault, or when it hangs. */
  function watchOver(cpuLimitMs: number): NodeJS.Timeout {
    const { memoryLimitBytes, stallMs } = options
    const before = cpuMilliseconds(child.pid!)
    let [used, changedAt] = [0, performance.now()]
    return setInterval(() => {
      const now = cpuMilliseconds(child.pid!) - before
      if (now !== used) [used, changedAt] = [now, performance.now()]
      if (used > cpuLimitMs)
        kill(new UnsupportedImage(`the image takes more than ${cpuLimitMs / 1000} s of processor time`))
      else if (residentBytes(child.pid!) > memoryLimitBytes)
        kill(new UnsupportedImage(`the image needs more than ${toMegabytes(memoryLimitBytes)} MB of memory`))
      else if (performance.now() - changedAt > stallMs)
        kill(new ImageWorkerFailed(`the image process did nothing for ${stallMs / 1000} s`))
    }, CHECK_MS)
  }

  async function run({ task, output, cpuLimitMs }: ImageWork, input: FileHandle) {
    const watch = watchOver(cpuLimitMs)
    let begun = false
    worker.jobs++
    try {
      await send(task, input)
      begun = (await nextAnswer()).answer.outcome === 'begun'
      return await receive(output)
    } catch (error) {
      if (error instanceof UnsupportedImage) throw error
      await rm(output, { force: true })
      // Half a job is left in its pipes: nothing more can be said to it.
      kill()
      await exited
      child.stdout.destroy()
      if (isFileError(error)) throw error
      if (reason) throw reason
      throw begun ? error : new ImageWorkerLost(STOPPED)
    } finally {
      clearInterval(watch)
    }
  }

  const worker: Worker = { pid: child.pid, jobs: 0, exited, run, kill }
  return worker
}

function spawnChild({ sandbox, threads }: WorkerOptions) {
  const code = ['server/media', 'node_modules', 'package.json'].map((part) => path.join(CHECKOUT, part))
  const script = path.join(import.meta.dirname, 'child/main.ts')
  const env = {
    IMAGE_THREADS: String(threads),
    UV_THREADPOOL_SIZE: '2',
  }
  // The links kept as they are: the code may be reachable by one of them only, see sandbox.ts.
  const flags = ['--preserve-symlinks', '--preserve-symlinks-main', '--no-warnings']
  const { file, args, options } = sandboxed(
    process.execPath,
    [...flags, script],
    { readOnly: [process.execPath, ...code], env, limits: { fileSizeBytes: 0, openFiles: 64 } },
    sandbox,
  )
  return spawn(file, args, { ...options, stdio: ['pipe', 'pipe', 'ignore'] })
}

const toMegabytes = (bytes: number) => Math.round(bytes / 2 ** 20)

/** Our own disk is full or broken, which is not the child's doing. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && !('code' in error && error.code === 'ECONNRESET')
}
