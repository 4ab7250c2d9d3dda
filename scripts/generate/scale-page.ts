import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readFigures, type ScaleFigures } from '../../bench/support/figures.ts'
import { capacityOf, costsOf, PRICES, SUPPOSED, type Wanted } from './capacity.ts'
import {
  bits,
  dollars,
  measuredOn,
  measuredTable,
  number,
  size,
  table,
  withGenerated,
} from './figures-text.ts'

const LARGE: Wanted = { videos: 10e6, eventsADay: 1e9, viewersAtOnce: 1e6 }

const PAGE = path.resolve(import.meta.dirname, '../../docs/scale.md')

/** docs/scale.md with its tables made anew of what the bench has measured. */
export function scalePage(): string {
  const figures = readFigures()
  return withGenerated(readFileSync(PAGE, 'utf8'), figures && tables(figures))
}

function tables(figures: ScaleFigures): string {
  const has = capacityOf(LARGE, figures)
  const costs = costsOf(has, figures)
  const { minutes, years, peak, fromTheCdn, watchedBitrate, eventsKeptDays, loaded } = SUPPOSED
  const total = Object.values(costs).reduce((sum, cost) => sum + cost)
  return `${measuredOn(figures)}

${measuredTable(figures)}

Supposed: videos of ${minutes} minutes in 1080p, added over ${years} years; viewers at the peak of the day, which is ${peak} times its mean, and one page of a feed for each
video that they begin, when the one before ends; ${fromTheCdn * 100} % of what they ask for answered by the CDN; ${bits(watchedBitrate)} each, for the network, while machines are
counted as if all watched the top rung; a segment of sound for each of pictures; events kept for ${eventsKeptDays} days; machines loaded to ${loaded * 100} %.

${table(
  ['What', 'How much', 'Of what', 'Dollars a month'],
  [
    'Machines that answer',
    number(has.forFeeds),
    `${number(has.starts)} pages of feeds a second`,
    dollars(costs.forFeeds),
  ],
  [
    '… that send segments to the CDN',
    number(has.forSegments),
    `${number(has.segmentsFromOrigin)} segments a second, half of them of sound`,
    dollars(costs.forSegments),
  ],
  [
    '… that take events',
    number(has.forEvents),
    `${number(has.eventsASecond)} events a second`,
    dollars(costs.forEvents),
  ],
  [
    '… that work',
    number(has.forEncoding),
    `${number(has.uploadsADay)} videos a day, at the peak of the day`,
    dollars(costs.forEncoding),
  ],
  [
    'Objects',
    size(has.objectsBytes),
    'all rungs at their highest rates, without originals',
    dollars(costs.objects),
  ],
  [
    '… and calls',
    '',
    'a put for each segment made, a get for each that the CDN asks for',
    dollars(costs.objectCalls),
  ],
  [
    'Disks of PostgreSQL',
    size(has.videoBytes + has.segmentBytes),
    `${size(has.videoBytes)} of videos, ${size(has.segmentBytes)} of ${number(has.segmentRows)} segments, once`,
    dollars(costs.postgres),
  ],
  [
    'Disks of ClickHouse',
    size(has.eventBytes),
    `${number(has.events)} events, once`,
    dollars(costs.clickhouse),
  ],
  ['From the origin to the CDN', bits(has.originBits), 'at the peak', dollars(costs.fromTheOrigin)],
  ['From the CDN to viewers', bits(has.viewersBits), 'at the peak', dollars(costs.fromTheCdn)],
  ['Together', '', '', dollars(total)],
)}

**The prices are examples**, to be replaced by those of your own provider (\`PRICES\` in \`scripts/generate/capacity.ts\`, then \`npm run generate\`). They are nobody's price list, and
nothing about them was measured:

${table(
  ['Unit', 'Dollars'],
  ['a core for an hour', String(PRICES.coreHour)],
  ['a GB of objects for a month', String(PRICES.objectsGbMonth)],
  ['a GB of disk for a month', String(PRICES.diskGbMonth)],
  ['a million puts of objects', String(PRICES.objectPutsMillion)],
  ['a million gets of objects', String(PRICES.objectGetsMillion)],
  ['a GB from the origin to the CDN', String(PRICES.originGb)],
  ['a GB from the CDN to viewers', String(PRICES.cdnGb)],
)}`
}
