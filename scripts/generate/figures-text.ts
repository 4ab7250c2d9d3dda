import type { ScaleFigures, Spread } from '../../bench/support/figures.ts'
import { SEGMENT_SECONDS } from '../../server/media/video/timeline.ts'

const [BEGIN, END] = ['<!-- made by npm run generate -->', '<!-- end -->']

const UNMEASURED = 'Not measured yet: `npm run bench -- scale` does, and `npm run generate` puts it here.'

/** The page with what stands between the marks made anew. */
export function withGenerated(page: string, made: string | undefined): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error(`the page lacks ${BEGIN} or ${END}`)
  return `${page.slice(0, begin + BEGIN.length)}\n\n${made ?? UNMEASURED}\n\n${page.slice(end)}`
}

export function table(...[head, ...rows]: string[][]): string {
  return [head!, head!.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** What one machine does, with its spread, and how large what it keeps is. */
export function measuredTable(figures: ScaleFigures): string {
  const { picture, sound } = figures.segment_bytes
  const { video, segment, post, event } = figures.bytes
  const bitrate = bits((picture * 8) / SEGMENT_SECONDS)
  const row = (what: string, { median, least, most }: Spread) => [
    what,
    number(median),
    least === undefined || most === undefined ? '' : `${number(least)} to ${number(most)}`,
  ]
  return `${table(
    ['One machine', 'median', 'rounds'],
    row('pages of a feed a second', figures.feed_pages),
    row('events a second', figures.events),
    row(`segments of the top rung a second (${size(picture)} each, ${bitrate})`, figures.picture_segments),
    row(`segments of sound a second (${size(sound)} each)`, figures.sound_segments),
    row(
      `minutes of 1080p an hour made into ${figures.rungs} rungs and sound`,
      figures.encoded_minutes_an_hour,
    ),
  )}

With its indexes a video takes ${number(video)} bytes of PostgreSQL, each of its segments ${number(segment)} and a post ${number(post)}; an event takes ${number(event)} bytes of ClickHouse.`
}

export const measuredOn = ({ measured, machine, remark }: ScaleFigures): string =>
  `Measured on ${measured}, on ${machine.cores} cores (${machine.architecture}), which also ran the engines and whatever asked.${remark ? ` ${remark}` : ''}`

/** With two digits that mean something. */
export function number(value: number): string {
  const digits = value < 100 ? Math.round(value) : Number(value.toPrecision(2))
  return digits.toLocaleString('en-US')
}

function scaled(value: number, units: string[]): string {
  const power = Math.max(0, Math.min(units.length - 1, Math.floor(Math.log10(value) / 3)))
  return `${number(value / 1000 ** power)} ${units[power]}`
}
export const size = (bytes: number) => scaled(bytes, ['B', 'kB', 'MB', 'GB', 'TB', 'PB'])
export const bits = (rate: number) => scaled(rate, ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s', 'Tbit/s'])
export const dollars = (amount: number) => (amount < 1 ? 'below 1' : number(amount))
