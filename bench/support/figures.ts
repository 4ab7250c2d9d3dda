import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { median } from './report.ts'

const FILE = path.resolve(import.meta.dirname, '../../docs/scale-figures.json')

/** What several rounds have seen. */
export interface Spread {
  median: number
  /** Where they were kept. */
  least?: number
  most?: number
}

/** What `npm run bench -- scale` has seen of one process of each role on engines by address, all on one machine. */
export interface ScaleFigures {
  machine: { cores: number; architecture: string }
  measured: string
  /** What a reader has to know where it was not one run on a machine that did nothing else. */
  remark?: string
  /** A second; of segments those of the top rung, and of its sound. */
  feed_pages: Spread
  events: Spread
  picture_segments: Spread
  sound_segments: Spread
  segment_bytes: { picture: number; sound: number }
  /** Of video of 1080p in all rungs of the tier, for an hour of the machine. */
  encoded_minutes_an_hour: Spread
  rungs: number
  /** On disk, with indexes. */
  bytes: { video: number; segment: number; post: number; event: number }
}

export const readFigures = (): ScaleFigures | undefined =>
  existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : undefined

export function writeFigures(seen: Omit<ScaleFigures, 'machine' | 'measured' | 'remark'>): void {
  const figures: ScaleFigures = {
    machine: { cores: os.availableParallelism(), architecture: process.arch },
    measured: new Date().toISOString().slice(0, 10),
    ...seen,
  }
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value
  writeFileSync(FILE, `${JSON.stringify(figures, rounded, 2)}\n`)
}

export const spreadOf = (seen: number[]): Required<Spread> => ({
  median: median(seen),
  least: Math.min(...seen),
  most: Math.max(...seen),
})

export const scaledBy = ({ median, least, most }: Required<Spread>, factor: number): Spread => ({
  median: median * factor,
  least: least * factor,
  most: most * factor,
})
