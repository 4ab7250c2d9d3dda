import { ENVELOPE, KIND_NAMES, KINDS, type Kind, TEXT_FIELDS } from '../fields.ts'
import type { EventLine, StoredEvent } from '../line.ts'
import { escaped } from './sql.ts'

const NONE = '\\N'
const text = (value: string | undefined) => (value === undefined ? NONE : escaped(value))
const list = (values: number[] | undefined) => `[${values?.join(',') ?? ''}]`

/** Lines as rows of the table of events in TabSeparated, for each shard its own. */
export function rowsOf(lines: readonly EventLine[], batch: string, shards: number): Buffer[] {
  const rows = Array.from({ length: shards }, growingBytes)
  for (const line of lines) {
    const common = commonOf(line, batch)
    line.events.forEach((event, i) => {
      const viewer = line.viewer ?? event.viewer
      const arrival = line.arrival + i
      const shard = viewer === undefined ? arrival % shards : hash(line.organization + viewer) % shards
      rows[shard]!.add(rowOf(common, event, viewer, arrival))
    })
  }
  return rows.map(({ all }) => all())
}

/** Bytes instead of a long text: a text that grows is made of millions of pieces, and most time goes into them. */
function growingBytes() {
  let bytes = Buffer.allocUnsafe(2 ** 16)
  let length = 0
  return {
    add(text: string) {
      // No character takes more than three bytes for each of its units.
      if (length + text.length * 3 > bytes.length)
        bytes = Buffer.concat([bytes.subarray(0, length)], 2 * (bytes.length + text.length * 3))
      length += bytes.write(text, length)
    },
    all: () => bytes.subarray(0, length),
  }
}

/** What is the same in all rows of a line, escaped once. */
interface Common {
  scope: string
  batch: string
  envelope: Record<string, string>
}

function commonOf({ organization, project, envelope }: EventLine, batch: string): Common {
  return {
    scope: `${escaped(organization)}\t${escaped(project)}`,
    batch: escaped(batch),
    envelope: Object.fromEntries(ENVELOPE.map((name) => [name, text(envelope[name])])),
  }
}

/** In the order of COLUMNS. An event's own fields go before the envelope's of the same name. */
function rowOf(
  { scope, batch, envelope }: Common,
  event: StoredEvent,
  viewer: string | undefined,
  arrival: number,
) {
  let row = `${scope}\t${event.time}\t${arrival}\t${event.kind}\t${text(viewer)}\t${text(event.video)}\t`
  row += `${event.watched ?? NONE}\t${event.duration ?? NONE}\t${list(event.segment_starts)}\t`
  row += `${list(event.segment_ends)}\t${text(event.segments)}\t${batch}`
  const { fields } = event
  for (const { before, name } of LAYOUTS[event.kind].fields) {
    const own = fields[name]
    row += before + (own === undefined ? (envelope[name] ?? NONE) : escaped(own))
  }
  return row + LAYOUTS[event.kind].end
}

interface Layout {
  /** What an event can have, and what is written for the fields before it, which it cannot. */
  fields: { before: string; name: string }[]
  end: string
}

/** Most fields are those of other kinds: they are written without looking for them. */
function layoutOf(kind: Kind): Layout {
  const fields: Layout['fields'] = []
  let before = '\t'
  for (const name of TEXT_FIELDS)
    if (Object.hasOwn(KINDS[kind], name) || ENVELOPE.some((each) => each === name)) {
      fields.push({ before, name })
      before = '\t'
    } else before += `${NONE}\t`
  return { fields, end: `${before.slice(0, -1)}\n` }
}
const LAYOUTS = Object.fromEntries(KIND_NAMES.map((kind) => [kind, layoutOf(kind)])) as Record<Kind, Layout>

/** FNV-1a. Which shard it names decides about balance only: reports ask all of them as one. */
function hash(value: string): number {
  let sum = 0x811c9dc5
  for (let i = 0; i < value.length; i++) sum = Math.imul(sum ^ value.charCodeAt(i), 0x01000193)
  return sum >>> 0
}
