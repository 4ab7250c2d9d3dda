export interface Timing {
  start: number
  end: number
  /** What follows the times, unchecked. */
  settings: string
}

const TIMESTAMP = String.raw`(?:\d{1,6} ?: ?)?\d{1,3} ?: ?\d{1,2}(?: ?[.,] ?\d{1,9})?`
const START = new RegExp(`^(?:\\d{1,9}\\s+)?(${TIMESTAMP})$`)
const END = new RegExp(`^${TIMESTAMP}(?!\\d)`)

// Bounds the work on a hostile line; real ones are far shorter.
const LONGEST_SIDE = 300

/** Reads `00:00:01,000 --> 00:00:02,000`, also with the number of the cue in front. */
export function readTiming(line: string): Timing | undefined {
  const arrow = line.indexOf('-->')
  if (arrow < 0 || arrow > LONGEST_SIDE) return undefined
  const start = START.exec(line.slice(0, arrow).trim())?.[1]
  const right = line.slice(arrow + 3, arrow + 3 + LONGEST_SIDE).trim()
  const end = END.exec(right)?.[0]
  if (start === undefined || end === undefined) return undefined
  return { start: readTimestamp(start), end: readTimestamp(end), settings: right.slice(end.length) }
}

/** What follows the point or comma is a decimal fraction: `1,5` is one and a half seconds. */
export function readTimestamp(text: string): number {
  const [clock = '', fraction = ''] = text.split(/[.,]/)
  const [seconds = 0, minutes = 0, hours = 0] = clock.split(':').map(Number).reverse()
  const milliseconds = Number(fraction.trim().slice(0, 3).padEnd(3, '0'))
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
}

export function writeTimestamp(time: number): string {
  const digits = (value: number, count: number) => String(Math.floor(value)).padStart(count, '0')
  const clock = [time / 3_600_000, (time / 60_000) % 60, (time / 1000) % 60].map((part) => digits(part, 2))
  return `${clock.join(':')}.${digits(time % 1000, 3)}`
}
