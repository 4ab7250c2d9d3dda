import { createReadStream } from 'node:fs'
import { sealLine } from '../platform/events/line.ts'
import { type EventRow, linesOf } from '../platform/events/rows.ts'
import type { EventPart } from './content.ts'
import { linesIn } from './pieces.ts'

const PART_BYTES = 16 * 2 ** 20
const DAY_MS = 86_400_000

async function* rowsIn(file: string): AsyncGenerator<EventRow> {
  for await (const line of linesIn(createReadStream(file)))
    if (line !== '') yield JSON.parse(line) as EventRow
}

/**
 * Events as an engine has written them out, as lines of a spool. A part ends with a day and when it is long: what is
 * added later changes none but the last.
 */
export async function* eventParts(file: string): AsyncGenerator<EventPart> {
  let lines: string[] = []
  let [bytes, count, day] = [0, 0, Number.NaN]
  const part = (): EventPart => ({ lines: Buffer.from(lines.join('')), count })
  for await (const line of linesOf(rowsIn(file))) {
    const arrivedOn = Math.floor(line.arrival / 1000 / DAY_MS)
    if (lines.length > 0 && (arrivedOn !== day || bytes >= PART_BYTES)) {
      yield part()
      lines = []
      bytes = 0
      count = 0
    }
    day = arrivedOn
    const text = `${sealLine(JSON.stringify(line).slice(0, -1), line.events.length)}\n`
    lines.push(text)
    bytes += text.length
    count += line.events.length
  }
  if (lines.length > 0) yield part()
}
