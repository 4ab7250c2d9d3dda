import { randomUUID } from 'node:crypto'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type EventLine, sealLine } from '../../../server/platform/events/line.ts'
import type { Chunk, EventEngine, Loaded } from '../../../server/platform/events/port.ts'

export type Engine = () => EventEngine

/** A spool's files as an engine sees them: segments of lines, one JSON each. */
export interface TestSpool {
  name: string
  /** Writes lines at the end of the segment, and answers where they are. */
  write(lines: readonly EventLine[]): Promise<Chunk>
  /** The same with lines as they are, text or bytes, each with a line feed after it. */
  writeRaw(lines: readonly (string | Buffer)[]): Promise<Chunk>
  nextSegment(): void
  remove(): Promise<void>
}

export async function makeSpool(): Promise<TestSpool> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'marquee-events-'))
  const name = randomUUID()
  let [segment, end] = [1, 0]
  async function writeRaw(lines: readonly (string | Buffer)[]): Promise<Chunk> {
    const bytes = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]))
    const file = path.join(folder, `${segment}.ndjson`)
    await appendFile(file, bytes)
    const from = end
    end += bytes.length
    return { spool: name, segment, path: file, from, to: end, aside: path.join(folder, 'rejected') }
  }
  return {
    name,
    write: (lines) => writeRaw(lines.map((line) => JSON.stringify(line))),
    writeRaw,
    nextSegment() {
      segment++
      end = 0
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Loads a chunk to its end, in as many goes as the engine takes. */
export async function loadAll(engine: EventEngine, chunk: Chunk): Promise<Loaded> {
  let at: Loaded = { segment: chunk.segment, offset: chunk.from, aside: [] }
  while (at.segment === chunk.segment && at.offset < chunk.to) {
    const next = await engine.load({ ...chunk, from: at.offset })
    if (next.segment === at.segment && next.offset <= at.offset) throw new Error('the engine does not get on')
    at = { ...next, aside: [...at.aside, ...next.aside] }
  }
  return at
}

/** A line as the service writes it today, with its checksum. */
export function sealed(line: EventLine): string {
  return sealLine(JSON.stringify(line).slice(0, -1), line.events.length)
}

/** Loads lines from a spool of their own. */
export async function loadLines(engine: EventEngine, lines: readonly EventLine[]): Promise<void> {
  const spool = await makeSpool()
  try {
    await loadAll(engine, await spool.write(lines))
  } finally {
    await spool.remove()
  }
}

let arrivals = 0

/** A line of one project with defaults for what a test does not care about. */
export function lineOf(organization: string, part: Partial<EventLine>): EventLine {
  const line = {
    organization,
    project: 'project',
    received: 1_700_000_000_000,
    arrival: arrivals,
    envelope: {},
  }
  const events = part.events ?? []
  arrivals += events.length
  return { ...line, events, ...part }
}

export const newOrganization = () => `org-${randomUUID()}`

/** Everything that can have happened. */
export const EVER = { from: -(2 ** 52), to: 2 ** 52 }
