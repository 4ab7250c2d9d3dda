import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import { constants } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { traced } from '../../base/tracing.ts'
import { cpuMilliseconds, isHeldUp } from '../process-tree.ts'
import { type Sandbox, sandboxed } from '../sandbox.ts'
import { MediaProgramFailed, ProgramGaveUp } from './errors.ts'
import { silenceWatch } from './watch-silence.ts'

/** The programs that read other people's media, and the walls they run behind. */
export interface MediaTools {
  ffmpeg: string
  ffprobe: string
  sandbox: Sandbox
  /** Seconds without a byte on any pipe, and without any work, after which a program counts as hung. */
  silenceSeconds: number
}

export interface ProgramRun {
  program: 'ffmpeg' | 'ffprobe'
  args: string[]
  /** The arguments of a second run of the program, which reads what the first writes to its standard output. */
  into?: string[]
  /** Files it may read. */
  inputs: string[]
  /** How many pipes it writes to besides its standard output: `pipe:3`, `pipe:4` and so on. */
  pipes?: number
  /** Nobody reads its standard output. */
  discardsOutput?: boolean
  /** What it reads from its standard input. */
  stdin?: Buffer[]
  cpuSeconds: number
  memoryBytes: number
  nice?: number
  signal?: AbortSignal
}

export interface RunningProgram {
  /** Kept until somebody reads it; the program ends only once it is read, or killed. */
  stdout: Readable
  pipes: Readable[]
  /** When it has ended; rejects where it failed, hung or was broken off. Its pipes have ended by then. */
  ended: Promise<void>
  kill(why: string): void
}

/** What comes before the program itself says so where it cannot be run: no fault of the file. */
const DID_NOT_START = /^(nice|prlimit|bwrap): /m
const { SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV } = constants.signals
/** As shells tell of them: by the signal and 128. */
const CRASHES = new Set([SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV])
const STDERR_BYTES = 4000
const WATCH_MS = 500
/** Where the system counts for itself, it ends the program first. */
const CPU_SLACK = 5

/** Starts a media program that can hurt nobody, and ends it with all its processes where it hangs. */
export function runProgram(tools: MediaTools, run: ProgramRun): RunningProgram {
  const program = tools[run.program]
  const [first, ...rest] = run.into
    ? pipeline([program, ...run.args], [program, ...run.into])
    : [program, ...run.args]
  const { file, args, options } = sandboxed(
    first!,
    rest,
    {
      readOnly: [...ownFolder(program), ...run.inputs],
      limits: {
        cpuSeconds: run.cpuSeconds,
        addressSpaceBytes: run.memoryBytes,
        fileSizeBytes: 0,
        openFiles: 128,
      },
      nice: run.nice,
    },
    tools.sandbox,
  )
  const extra = Array.from({ length: run.pipes ?? 0 }, () => 'pipe' as const)
  const child = spawn(file, args, {
    ...options,
    stdio: [run.stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', ...extra],
  })
  const outputs = child.stdio.slice(3) as Socket[]
  const pipes = [child.stdout as Socket, ...outputs]
  let reason: string | undefined
  let stderr = ''
  let closed = false

  function kill(why: string): void {
    reason ??= why
    // Output that nobody has begun to read would keep it from ending.
    child.stdout!.off('readable', keep)
    if (child.stdout!.listenerCount('readable') === 0) child.stdout!.resume()
    // Though the first of its processes has ended, others may hold its pipes open.
    if (child.pid === undefined || closed) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      child.kill('SIGKILL')
    }
  }

  const judge = silenceWatch({ silenceSeconds: tools.silenceSeconds, cpuSeconds: run.cpuSeconds + CPU_SLACK })
  let heard = 0
  let lookedAt = performance.now()
  const watch = setInterval(() => {
    const bytes = pipes.reduce((sum, pipe) => sum + pipe.bytesRead, 0)
    const isHeard = bytes !== heard || pipes.some((pipe) => pipe.readableLength > 0)
    const elapsedSeconds = (performance.now() - lookedAt) / 1000
    heard = bytes
    lookedAt += elapsedSeconds * 1000
    const pid = child.pid ?? 0
    const why = judge({
      elapsedSeconds,
      isHeard,
      cpuSeconds: cpuMilliseconds(pid) / 1000,
      isHeldUp: isHeldUp(pid),
    })
    if (why) kill(why)
  }, WATCH_MS)
  const abort = () => kill('broken off')
  run.signal?.addEventListener('abort', abort)
  if (run.signal?.aborted) abort()

  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_BYTES)
  })
  for (const pipe of pipes) pipe.on('error', () => {})
  if (run.discardsOutput) child.stdout!.resume()
  else child.stdout!.on('readable', keep)
  if (run.stdin) {
    child.stdin!.on('error', () => {})
    for (const chunk of run.stdin) child.stdin!.write(chunk)
    child.stdin!.end()
  }

  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      closed = true
      if (code === 0 && reason === undefined) return resolve()
      const why = reason ?? `${run.program} ended by ${signal ?? code}: ${stderr}`
      const started = code !== 126 && code !== 127 && !DID_NOT_START.test(stderr)
      if (!started) return reject(new Error(why))
      const gaveUp = reason === undefined && code !== null && (code < 128 || CRASHES.has(code - 128))
      reject(gaveUp ? new ProgramGaveUp(why) : new MediaProgramFailed(why))
    })
  }).finally(() => {
    clearInterval(watch)
    run.signal?.removeEventListener('abort', abort)
  })
  // Whoever reads the pipes first hears of it later; it must not count as unhandled until then.
  ended.catch(() => {})
  // Not its arguments: those name files of tenants.
  traced(
    () => ({ name: run.program, kind: 'client', attributes: { 'process.pid': child.pid ?? 0 } }),
    () => ended,
  ).catch(() => {})
  return { stdout: child.stdout!, pipes: outputs, ended, kill }
}

/** Listens: what a child wrote and nobody listens for is thrown away as the child ends. */
function keep(): void {}

/**
 * A shell's pipeline of two commands, which fails where either does. The commands stay arguments of their own:
 * a sandbox that gives files other names has to find them there.
 */
function pipeline(writer: string[], reader: string[]): string[] {
  const words = (command: string[], from: number) => command.map((_, i) => `"\${${from + i}}"`).join(' ')
  const write = `{ ${words(writer, 0)} 8>&- 9>&- || echo $? >&9; }`
  const read = `{ ${words(reader, writer.length)} >&8 8>&- 9>&- || echo $? >&9; }`
  const script = `exec 8>&1; set -- $({ ${write} | ${read}; } 9>&1); exit \${1:-0}`
  return ['sh', '-c', script, ...writer, ...reader]
}

/** A program outside the system's folders is to be let in by name. */
function ownFolder(program: string): string[] {
  return path.isAbsolute(program) && !program.startsWith('/usr/') && existsSync(program) ? [program] : []
}

/** Runs a program to its end and answers what it wrote, which has to be at most so many bytes. */
export async function outputOf(tools: MediaTools, run: ProgramRun, maxBytes: number): Promise<Buffer> {
  const { stdout, ended, kill } = runProgram(tools, run)
  const output = await readWhole(stdout, maxBytes, kill)
  await ended
  return output
}

/** Reads a pipe to its end; the program is killed where there is more than expected. */
export async function readWhole(
  pipe: Readable,
  maxBytes: number,
  kill: RunningProgram['kill'],
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of pipe as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) kill('more output than expected')
    else chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
