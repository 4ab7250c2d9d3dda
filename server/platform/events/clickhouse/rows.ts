import { TEXT_FIELDS } from '../fields.ts'
import type { EventLine, StoredEvent } from '../line.ts'
import { escaped } from './sql.ts'

const NONE = '\\N'
const text = (value: string | undefined) => (value === undefined ? NONE : escaped(value))
const list = (values: number[] | undefined) => `[${values?.join(',') ?? ''}]`

/** Lines as rows of the table of events in TabSeparated, for each shard its own. */
export function rowsOf(lines: readonly EventLine[], batch: string, shards: number): string[] {
  const rows = Array.from({ length: shards }, (): string[] => [])
  for (const line of lines)
    line.events.forEach((event, i) => {
      const viewer = line.viewer ?? event.viewer
      const arrival = line.arrival + i
      const shard = viewer === undefined ? arrival % shards : hash(line.organization + viewer) % shards
      rows[shard]!.push(rowOf(line, event, viewer, arrival, batch))
    })
  return rows.map((each) => each.join(''))
}

/** In the order of COLUMNS. An event's own fields go before the envelope's of the same name. */
function rowOf(
  line: EventLine,
  event: StoredEvent,
  viewer: string | undefined,
  arrival: number,
  batch: string,
): string {
  const values = [
    text(line.organization),
    text(line.project),
    event.time,
    arrival,
    event.kind,
    text(viewer),
    text(event.video),
    event.watched ?? NONE,
    event.duration ?? NONE,
    list(event.segment_starts),
    list(event.segment_ends),
    text(event.segments),
    text(batch),
    ...TEXT_FIELDS.map((name) => text(event.fields[name] ?? line.envelope[name])),
  ]
  return `${values.join('\t')}\n`
}

/** FNV-1a. Which shard it names decides about balance only: reports ask all of them as one. */
function hash(value: string): number {
  let sum = 0x811c9dc5
  for (let i = 0; i < value.length; i++) sum = Math.imul(sum ^ value.charCodeAt(i), 0x01000193)
  return sum >>> 0
}
