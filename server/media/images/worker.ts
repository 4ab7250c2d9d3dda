import { spawn } from 'node:child_process'
import { type FileHandle, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { residentBytes } from '../process-tree.ts'
import { type Sandbox, sandboxed } from '../sandbox.ts'
import { ImageWorkerFailed, UnsupportedImage } from './errors.ts'
import { FrameReader, frameHead } from './frames.ts'
import { type Result, readAnswer, type Task } from './protocol.ts'

export interface WorkerOptions {
  sandbox: Sandbox
  memoryLimitBytes: number
  timeoutMs: number
  threads: number
}

/** One child process, which does one job at a time. */
export interface Worker {
  pid: number | undefined
  jobs: number
  exited: Promise<void>
  run(task: Task, input: FileHandle, output: string): Promise<Result & { bytes: number }>
  kill(why?: string): void
}

const CHECKOUT = path.resolve(import.meta.dirname, '../../..')
const MEMORY_CHECK_MS = 100
const CHUNK_BYTES = 256 * 1024
const MAX_OUTPUT_BYTES = 256 * 2 ** 20

export function startWorker(options: WorkerOptions): Worker {
  const child = spawnChild(options)
  let reason = 'the image process stopped unexpectedly'
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

  function kill(why?: string): void {
    if (!alive) return
    reason = why ?? reason
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      child.kill('SIGKILL')
    }
  }

  async function send(task: Task, input: FileHandle): Promise<void> {
    const { size } = await input.stat()
    const write = (chunk: Buffer) =>
      new Promise<void>((resolve, reject) =>
        child.stdin.write(chunk, (error) => (error ? reject(new ImageWorkerFailed(reason)) : resolve())),
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

  async function receive(output: string): Promise<Result & { bytes: number }> {
    const frame = await answers.next()
    if (!frame) throw new ImageWorkerFailed(reason)
    const answer = readAnswer(frame.header)
    if (answer.outcome === 'unsupported') throw new UnsupportedImage(answer.reason)
    if (answer.outcome === 'failed') reason = 'the image could not be processed'
    if (answer.outcome === 'failed' || frame.payloadBytes > MAX_OUTPUT_BYTES)
      throw new ImageWorkerFailed(reason)
    const file = await open(output, 'w')
    try {
      for await (const chunk of answers.payload(frame.payloadBytes)) await file.write(chunk)
    } finally {
      await file.close()
    }
    const { outcome: _, ...result } = answer
    return { ...result, bytes: frame.payloadBytes }
  }

  async function run(task: Task, input: FileHandle, output: string) {
    const { timeoutMs, memoryLimitBytes } = options
    const timer = setTimeout(() => kill(`the image took longer than ${timeoutMs / 1000} s`), timeoutMs)
    const watch = setInterval(() => {
      if (residentBytes(child.pid!) > memoryLimitBytes)
        kill(`the image needed more than ${Math.round(memoryLimitBytes / 2 ** 20)} MB of memory`)
    }, MEMORY_CHECK_MS)
    worker.jobs++
    try {
      await send(task, input)
      return await receive(output)
    } catch (error) {
      if (error instanceof UnsupportedImage) throw error
      await rm(output, { force: true })
      // Half a job is left in its pipes: nothing more can be said to it.
      kill()
      await exited
      child.stdout.destroy()
      if (isFileError(error)) throw error
      throw new ImageWorkerFailed(reason)
    } finally {
      clearTimeout(timer)
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

/** Our own disk is full or broken, which is not the child's doing. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && !('code' in error && error.code === 'ECONNRESET')
}
