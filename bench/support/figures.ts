import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const FILE = path.resolve(import.meta.dirname, '../../docs/scale-figures.json')

/** What `npm run bench -- scale` has seen of one process of each role on engines by address, all on one machine. */
export interface ScaleFigures {
  machine: { cores: number; architecture: string }
  measured: string
  /** Requests a second. */
  feed_pages: number
  segments: number
  events: number
  /** Of video in all rungs of the tier, for an hour of the machine. */
  encoded_minutes_an_hour: number
  rungs: number
  segments_a_minute: number
  /** On disk, with indexes. */
  bytes: { video: number; segment: number; post: number; event: number }
}

export const readFigures = (): ScaleFigures | undefined =>
  existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : undefined

export function writeFigures(seen: Omit<ScaleFigures, 'machine' | 'measured'>): void {
  const figures: ScaleFigures = {
    machine: { cores: os.availableParallelism(), architecture: process.arch },
    measured: new Date().toISOString().slice(0, 10),
    ...seen,
  }
  writeFileSync(FILE, `${JSON.stringify(figures, null, 2)}\n`)
}
