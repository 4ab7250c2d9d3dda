import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { BegunVideo } from '../server/videos/schemas.ts'
import { line, median, print } from './support/report.ts'
import { sendBytes } from './support/send-bytes.ts'
import { end, startScript, startService } from './support/service.ts'

const MB = 1_000_000
const FILE = 500 * MB
const LARGE = 1000 * MB
const AT_ONCE = 8
const PART = 100 * MB
const ROUNDS = 5
/** Of a clock that counts the processor time of a process, to be had by `getconf CLK_TCK`. */
const TICKS_PER_SECOND = 100

interface Side {
  name: string
  pid: number
  /** Asks for a place for a file of this many bytes; what it answers sends them, until they are on the disk. */
  begin(bytes: number): Promise<() => Promise<void>>
  /** Between rounds: the disk must not fill up. */
  clear(): Promise<void>
  stop(): Promise<void>
}

/**
 * Files by one PUT, one at a time and eight at once, beside `@tus/server` whose files are written through as well; and a
 * large one by tus beside one PUT.
 */
export async function run(): Promise<void> {
  const sides = [await startOurs(), await startTus()] as const
  print(`uploads: median of ${ROUNDS} rounds, in turn, all data written through`)
  const alone = await compare(sides, { files: 1, bytes: FILE })
  report(`one of ${FILE / MB} MB`, alone)
  const together = await compare(sides, { files: AT_ONCE, bytes: PART })
  report(`${AT_ONCE} at once of ${PART / MB} MB`, together)
  line('CPU time for the same bytes', alone[0].cpuMs / alone[1].cpuMs, { atMost: 1.3 })
  line(
    `memory after ${ROUNDS + 1} rounds beside the first, one at a time`,
    alone[0].memory.at(-1)! / alone[0].memory[0]!,
    { atMost: 1.5 },
  )
  const [ours] = sides
  const resumable = { ...ours, name: 'by tus', begin: byTus(ours) }
  const large = await compare([resumable, { ...ours, name: 'by one PUT' }], { files: 1, bytes: LARGE })
  report(`one of ${LARGE / MB} MB`, large, 0.8)
  for (const side of sides) await side.stop()
}

interface Measured {
  name: string
  /** MB a second. */
  rate: number
  /** For 100 MB. */
  cpuMs: number
  /** MB after each round. */
  memory: number[]
}

async function compare(
  sides: readonly [Side, Side],
  { files, bytes }: { files: number; bytes: number },
): Promise<[Measured, Measured]> {
  const seen = sides.map(({ name }) => ({
    name,
    rates: [] as number[],
    cpu: [] as number[],
    memory: [] as number[],
  }))
  // The first round warms both up and is not counted.
  for (let round = 0; round <= ROUNDS; round++)
    for (const [i, side] of sides.entries()) {
      const sends = await Promise.all(Array.from({ length: files }, () => side.begin(bytes)))
      const [cpu, started] = [cpuMs(side.pid), performance.now()]
      await Promise.all(sends.map((send) => send()))
      const seconds = (performance.now() - started) / 1000
      seen[i]!.memory.push(residentMb(side.pid))
      if (round > 0) {
        seen[i]!.rates.push((files * bytes) / MB / seconds)
        seen[i]!.cpu.push((cpuMs(side.pid) - cpu) / ((files * bytes) / (100 * MB)))
      }
      await side.clear()
    }
  const [ours, theirs] = seen.map(({ name, rates, cpu, memory }) => ({
    name,
    rate: median(rates),
    cpuMs: median(cpu),
    memory,
  }))
  return [ours!, theirs!]
}

function report(what: string, [ours, theirs]: [Measured, Measured], atLeast = 1): void {
  const words = ({ name, rate, cpuMs: cpu }: Measured) =>
    `${name} ${Math.round(rate)} MB/s, ${Math.round(cpu)} ms of CPU for 100 MB`
  print(`  ${what}: ${words(ours)}; ${words(theirs)}`)
  line('ratio of the rates', ours.rate / theirs.rate, { atLeast })
}

interface OurSide extends Side {
  /** Asks for a place for a file. */
  address(): Promise<string>
}

const TUS = { 'tus-resumable': '1.0.0' }

function byTus({ address }: OurSide): Side['begin'] {
  return async (bytes) => {
    const url = await address()
    await fetch(url, { method: 'POST', headers: { ...TUS, 'upload-length': `${bytes}` } })
    const headers = { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    return () => sendBytes(url, { method: 'PATCH', bytes, headers })
  }
}

async function startOurs(): Promise<OurSide> {
  const service = await startService({ MARQUEE_ROLES: 'api' })
  const headers = { 'x-api-key': service.quickstart.api_key, 'content-type': 'application/json' }
  async function address(): Promise<string> {
    const body = JSON.stringify({ file_name: 'film.mp4' })
    const answer = await fetch(`${service.url}/videos/upload/init`, { method: 'POST', headers, body })
    const { video_presigned_url } = (await answer.json()) as BegunVideo
    return video_presigned_url.replace('localhost', '127.0.0.1')
  }
  return {
    name: 'ours',
    pid: service.pid,
    address,
    async begin(bytes) {
      const to = await address()
      return () => sendBytes(to, { method: 'PUT', bytes })
    },
    async clear() {
      for (const folder of ['incoming', 'incoming-pieces'])
        rmSync(path.join(service.dataDir, 'objects', folder), { recursive: true, force: true })
    },
    stop: () => service.stop(),
  }
}

async function startTus(): Promise<Side> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-tus-'))
  const { child, output } = await startScript('bench/baselines/tus-server.ts', [folder], {}, /port \d+\n/)
  const files = `http://127.0.0.1:${/\d+/.exec(output())![0]}/files`
  return {
    name: '@tus/server',
    pid: child.pid!,
    async begin(bytes) {
      const created = await fetch(files, { method: 'POST', headers: { ...TUS, 'upload-length': `${bytes}` } })
      const headers = { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
      return () => sendBytes(created.headers.get('location')!, { method: 'PATCH', bytes, headers })
    },
    async clear() {
      for (const name of readdirSync(folder)) rmSync(path.join(folder, name))
    },
    async stop() {
      await end(child)
      rmSync(folder, { recursive: true })
    },
  }
}

/** Processor time that a process has used, its own and the kernel's on its behalf. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1000
}
