import { spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { flushCompileCache, getCompileCacheDir } from 'node:module'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { FrameReader, frameHead } from '../../frames.ts'
import { residentBytes } from '../../process-tree.ts'
import { type Sandbox, sandboxed } from '../../sandbox.ts'
import { MediaProgramFailed, UnsupportedVideo } from '../errors.ts'
import type { Planned } from '../plan.ts'
import { describeVideo, listPictures } from '../probe.ts'
import type { MediaTools, RunningProgram } from '../program.ts'
import type { Said, Task, Told } from './protocol.ts'
// Not called: so that it is compiled, and in the cache that the child reads.
import './answer.ts'

const CHECKOUT = path.resolve(import.meta.dirname, '../../../..')
const CPU_SECONDS = 60
const HEAP_MB = 512
const MEMORY_BYTES = 2 ** 30
const WATCH_MS = 100
const MAX_PLAN_BYTES = 32 * 2 ** 20

/**
 * Finds out what a file is and how it can be played. What its index claims is read by a child, whose memory is
 * limited and given back when it ends; what comes out is a plan, whose length is bounded. Throws UnsupportedVideo.
 */
export async function planInChild(tools: MediaTools, source: string, task: Task): Promise<Planned> {
  const done = new AbortController()
  const { signal } = done
  // All at once: the start of each takes longer than most of what they do here.
  const describing = describeVideo(tools, source, signal)
  describing.catch(() => {})
  const working: Promise<unknown>[] = [describing]
  try {
    await using planner = await startPlanner(tools.sandbox, source)
    const telling = describing.then((about) => planner.tell({ task }, about))
    const listen = async (): Promise<Planned> => {
      const { said, payload } = await planner.hear()
      if ('refusal' in said) throw new UnsupportedVideo(said.refusal)
      if ('planned' in said) return JSON.parse(payload.toString()) as Planned
      const listing = listPictures(tools, source, signal)
      working.push(listing.ended)
      return Promise.race([unlessItFails(passOn({ listing, planner, after: telling })), listen()])
    }
    return await Promise.race([unlessItFails(telling), listen()])
  } finally {
    done.abort()
    await Promise.allSettled(working)
  }
}

/** Never resolves: how the work goes is of interest only where it fails. */
async function unlessItFails(work: Promise<unknown>): Promise<never> {
  await work
  return new Promise(() => {})
}

interface ToList {
  listing: RunningProgram
  planner: Planner
  after: Promise<void>
}

/** Passes a listing on to the planner piece by piece, as fast as it takes them. */
async function passOn({ listing, planner, after }: ToList): Promise<void> {
  await after
  try {
    for await (const chunk of listing.stdout) await planner.tell({ listing: 'more' }, chunk)
    await listing.ended
  } catch (error) {
    if (!(error instanceof MediaProgramFailed)) throw error
    throw new UnsupportedVideo('its pictures cannot be read to the end')
  }
  await planner.tell({ listing: 'end' })
}

/** A child that reads the index of one file and plans by it; whatever it claims, nobody else pays for it. */
interface Planner extends AsyncDisposable {
  /** When it has been taken. Rejects where the child has ended. */
  tell(what: Told, payload?: Buffer): Promise<void>
  hear(): Promise<{ said: Said; payload: Buffer }>
}

async function startPlanner(sandbox: Sandbox, source: string): Promise<Planner> {
  // By its descriptor: the child opens nothing but its own code.
  await using file = await open(source)
  const child = spawnChild(sandbox, file.fd)
  setImmediate(flushOnce)
  let isTooLarge = false
  const ended = new Promise<Error>((resolve) => {
    child.once('error', resolve)
    child.once('close', (code, signal) => resolve(isTooLarge ? TOO_LARGE : reasonOf(code, signal)))
  })
  const answers = new FrameReader(child.stdout!)
  child.stdin!.on('error', () => {})

  function kill(): void {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      child.kill('SIGKILL')
    }
  }

  const watch = setInterval(() => {
    if (child.pid === undefined || residentBytes(child.pid) <= MEMORY_BYTES) return
    isTooLarge = true
    kill()
  }, WATCH_MS)

  return {
    async tell(what, payload = Buffer.alloc(0)) {
      const write = (bytes: Buffer) =>
        new Promise<boolean>((resolve) => child.stdin!.write(bytes, (error) => resolve(!error)))
      if (!((await write(frameHead(what, payload.length))) && (await write(payload)))) throw await ended
    },
    async hear() {
      const frame = await answers.next()
      if (!frame) throw await ended
      if (frame.payloadBytes > MAX_PLAN_BYTES) throw TOO_LARGE
      return {
        said: frame.header as Said,
        payload: await buffer(Readable.from(answers.payload(frame.payloadBytes))),
      }
    },
    async [Symbol.asyncDispose]() {
      clearInterval(watch)
      kill()
      await ended
    },
  }
}

const TOO_LARGE = new UnsupportedVideo('its index is larger than that of any film')

/** A signal is one of the limits; everything else is our own fault. */
function reasonOf(code: number | null, signal: NodeJS.Signals | null): Error {
  const isLimit = signal !== null || (code !== null && code > 128)
  return isLimit ? TOO_LARGE : new Error(`the planner ended with ${code}`)
}

let isFlushed = false

/** What this process has compiled is otherwise written only as it ends: too late for its children. */
function flushOnce(): void {
  if (!isFlushed) flushCompileCache()
  isFlushed = true
}

function spawnChild(sandbox: Sandbox, source: number) {
  const code = ['server/media', 'package.json'].map((part) => path.join(CHECKOUT, part))
  // Where the service's own code is kept compiled, its children need not compile theirs.
  const compiled = getCompileCacheDir()
  const cache = compiled && path.dirname(compiled)
  const { file, args, options } = sandboxed(
    process.execPath,
    [
      // The links kept as they are: the code may be reachable by one of them only, see sandbox.ts.
      ...['--preserve-symlinks', '--preserve-symlinks-main', '--no-warnings'],
      ...[`--max-old-space-size=${HEAP_MB}`, path.join(import.meta.dirname, 'main.mjs')],
    ],
    {
      readOnly: [process.execPath, ...code, ...(cache ? [cache] : [])],
      env: cache ? { NODE_COMPILE_CACHE: cache } : {},
      limits: { cpuSeconds: CPU_SECONDS, fileSizeBytes: 0, openFiles: 64 },
    },
    sandbox,
  )
  return spawn(file, args, { ...options, stdio: ['pipe', 'pipe', 'ignore', source] })
}
