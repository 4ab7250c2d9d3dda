import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readFigures, type ScaleFigures } from '../../bench/support/figures.ts'
import { capacityOf, type Wanted } from './capacity.ts'
import { bits, measuredOn, measuredTable, number, size, table, withGenerated } from './figures-text.ts'

const SIZES: Wanted[] = [
  { videos: 10_000, eventsADay: 1e6, viewersAtOnce: 1000 },
  { videos: 100_000, eventsADay: 10e6, viewersAtOnce: 10_000 },
  { videos: 1_000_000, eventsADay: 100e6, viewersAtOnce: 100_000 },
]

const PAGE = path.resolve(import.meta.dirname, '../../docs/operating.md')

/** docs/operating.md with its section on sizing made anew of what the bench has measured. */
export function operatingPage(): string {
  const figures = readFigures()
  return withGenerated(readFileSync(PAGE, 'utf8'), figures && sizing(figures))
}

function sizing(figures: ScaleFigures): string {
  const all = SIZES.map((wanted) => ({ ...wanted, has: capacityOf(wanted, figures) }))
  const row = (what: string, cell: (one: (typeof all)[number]) => string) => [what, ...all.map(cell)]
  return `${measuredOn(figures)}

${measuredTable(figures)}

${table(
  row('For videos', ({ videos }) => number(videos)),
  row('events a day', ({ eventsADay }) => number(eventsADay)),
  row('viewers at once', ({ viewersAtOnce }) => number(viewersAtOnce)),
  row('machines for feeds', ({ has }) => number(has.forFeeds)),
  row('… for segments', ({ has }) => number(has.forSegments)),
  row('… for events', ({ has }) => number(has.forEvents)),
  row('… that work', ({ has }) => number(has.forEncoding)),
  row('objects', ({ has }) => size(has.objectsBytes)),
  row('PostgreSQL', ({ has }) => size(has.videoBytes + has.segmentBytes)),
  row('events of a year', ({ has }) => size(has.eventBytes)),
  row('to the CDN', ({ has }) => bits(has.originBits)),
)}`
}
