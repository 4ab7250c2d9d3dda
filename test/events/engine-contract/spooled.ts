import { randomUUID } from 'node:crypto'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { EventLine } from '../../../server/platform/events/line.ts'
import type { Chunk, EventEngine, Position } from '../../../server/platform/events/port.ts'

export type Engine = () => EventEngine

/** A spool's files as an engine sees them: segments of lines, one JSON each. */
export interface TestSpool {
  name: string
  /** Writes lines at the end of the segment, and answers where they are. */
  write(lines: readonly EventLine[]): Promise<Chunk>
  nextSegment(): void
  remove(): Promise<void>
}

export async function makeSpool(): Promise<TestSpool> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'marquee-events-'))
  const name = randomUUID()
  let [segment, end] = [1, 0]
  return {
    name,
    async write(lines) {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      const file = path.join(folder, `${segment}.ndjson`)
      await appendFile(file, text)
      const from = end
      end += Buffer.byteLength(text)
      return { spool: name, segment, path: file, from, to: end }
    },
    nextSegment() {
      segment++
      end = 0
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Loads a chunk to its end, in as many goes as the engine takes. */
export async function loadAll(engine: EventEngine, chunk: Chunk): Promise<Position> {
  let at: Position = { segment: chunk.segment, offset: chunk.from }
  while (at.segment === chunk.segment && at.offset < chunk.to) {
    const next = await engine.load({ ...chunk, from: at.offset })
    if (next.segment === at.segment && next.offset <= at.offset) throw new Error('the engine does not get on')
    at = next
  }
  return at
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
