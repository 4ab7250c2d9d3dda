import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readFigures, type ScaleFigures } from '../../bench/support/figures.ts'
import { ladder } from '../../server/media/video/ladder.ts'

/** What is to be carried. Each is a wish or a habit of viewers, and none is measured. */
interface Wanted {
  videos: number
  eventsADay: number
  viewersAtOnce: number
}

const LARGE: Wanted = { videos: 10e6, eventsADay: 1e9, viewersAtOnce: 1e6 }
/** What the tables suppose. */
const MINUTES = 5
const YEARS = 3
const PEAK = 3
const FROM_THE_CDN = 0.99
const WATCHED_BITRATE = 3e6
const EVENTS_KEPT_DAYS = 365
/** Not more of a machine than this, so that there is room for what nobody has foreseen. */
const LOADED = 0.6

/** How many machines such as the measured one, how many bytes, how many bits a second. */
function capacityOf({ videos, eventsADay, viewersAtOnce }: Wanted, figures: ScaleFigures) {
  const { bytes, segments_a_minute, encoded_minutes_an_hour } = figures
  const perDay = videos / (YEARS * 365)
  const rates = ladder('shorts', { width: 1920, height: 1080, framesPerSecond: 30 }).map(
    ({ maxRate }) => maxRate,
  )
  const bytesAMinute = (rates.reduce((sum, rate) => sum + rate) / 8) * 60
  const starts = viewersAtOnce / (MINUTES * 60)
  const secondsASegment = 60 / (segments_a_minute / (figures.rungs + 1))
  const segmentsAsked = viewersAtOnce / secondsASegment
  const machines = (asked: number, rate: number) => Math.ceil(asked / (rate * LOADED))
  const eventsASecond = (eventsADay / 86_400) * PEAK
  return {
    starts,
    segmentsAsked,
    viewersBits: viewersAtOnce * WATCHED_BITRATE,
    originBits: viewersAtOnce * WATCHED_BITRATE * (1 - FROM_THE_CDN),
    eventsASecond,
    uploadsADay: perDay,
    objectsBytes: videos * MINUTES * bytesAMinute,
    videoRows: videos * bytes.video,
    segmentRows: videos * MINUTES * segments_a_minute,
    segmentBytes: videos * MINUTES * segments_a_minute * bytes.segment,
    eventBytes: eventsADay * EVENTS_KEPT_DAYS * bytes.event,
    forFeeds: machines(starts * PEAK, figures.feed_pages),
    forSegments: machines(segmentsAsked * (1 - FROM_THE_CDN), figures.segments),
    forEvents: machines(eventsASecond, figures.events),
    forEncoding: machines((perDay * MINUTES * PEAK) / 24, encoded_minutes_an_hour),
  }
}

const PAGE = path.resolve(import.meta.dirname, '../../docs/scale.md')
const [BEGIN, END] = ['<!-- made by npm run generate -->', '<!-- end -->']

const UNMEASURED = 'Not measured yet: `npm run bench -- scale` does, and `npm run generate` puts it here.'

/** docs/scale.md with its tables made anew of what the bench has measured. */
export function scalePage(): string {
  const text = readFileSync(PAGE, 'utf8')
  const figures = readFigures()
  const [before, after] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)]
  return `${text.slice(0, before)}\n\n${figures ? tables(figures) : UNMEASURED}\n\n${text.slice(after)}`
}

function tables(figures: ScaleFigures): string {
  const has = capacityOf(LARGE, figures)
  const { machine, measured, bytes } = figures
  const rows = (...lines: [string, string, string][]) =>
    [
      '| What | How much | Of what |',
      '| --- | --- | --- |',
      ...lines.map((line) => `| ${line.join(' | ')} |`),
    ].join('\n')
  return `Measured on ${measured}, on ${machine.cores} cores (${machine.architecture}), which also ran the engines and whatever asked:
${number(figures.feed_pages)} pages of a feed, ${number(figures.segments)} segments or ${number(figures.events)} events a second; ${number(figures.encoded_minutes_an_hour)} minutes of video an hour made into
${figures.rungs} rungs. A video is ${number(bytes.video)} bytes of records, each of its ${figures.segments_a_minute} segments a minute ${number(bytes.segment)}, a post ${number(bytes.post)}, an event ${number(bytes.event)}.

Supposed: videos of ${MINUTES} minutes in 1080p, added over ${YEARS} years; a peak of ${PEAK} times the mean; ${FROM_THE_CDN * 100} % of what viewers ask for answered by the CDN; viewers
at ${WATCHED_BITRATE / 1e6} Mbit/s who begin another video when one ends; events kept for a year; machines loaded to ${LOADED * 100} %.

${rows(
  ['Machines that answer', number(has.forFeeds), `${number(has.starts * PEAK)} pages of feeds a second`],
  [
    '… that send segments to the CDN',
    number(has.forSegments),
    `${number(has.segmentsAsked * (1 - FROM_THE_CDN))} segments a second, ${bits(has.originBits)}; the CDN sends ${bits(has.viewersBits)}`,
  ],
  ['… that take events', number(has.forEvents), `${number(has.eventsASecond)} events a second`],
  ['… that work', number(has.forEncoding), `${number(has.uploadsADay)} videos a day, at the peak of the day`],
  ['Objects', size(has.objectsBytes), 'all rungs at their highest rates, without originals'],
  [
    'PostgreSQL',
    size(has.videoRows + has.segmentBytes),
    `${size(has.videoRows)} of videos, ${size(has.segmentBytes)} of ${number(has.segmentRows)} segments`,
  ],
  [
    'ClickHouse',
    size(has.eventBytes),
    `${number(LARGE.eventsADay * EVENTS_KEPT_DAYS)} events, once; as often as there are copies`,
  ],
)}`
}

/** With two digits that mean something. */
function number(value: number): string {
  const digits = value < 100 ? Math.round(value) : Number(value.toPrecision(2))
  return digits.toLocaleString('en-US')
}

function scaled(value: number, step: number, units: string[]): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log(value) / Math.log(step)))
  return `${number(value / step ** power)} ${units[power]}`
}
const size = (bytes: number) => scaled(bytes, 1000, ['B', 'kB', 'MB', 'GB', 'TB', 'PB'])
const bits = (rate: number) => scaled(rate, 1000, ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s', 'Tbit/s'])
