import fc from 'fast-check'
import { ENVELOPE, KIND_NAMES, KINDS, type Kind } from '../../../server/platform/events/fields.ts'
import {
  type EventLine,
  MAX_DURATION,
  ONCE_WITHIN,
  type StoredEvent,
} from '../../../server/platform/events/line.ts'
import { PLAYBACK } from '../../../server/platform/events/port.ts'

/** Few values of each, so that events meet; several of them mean something to somebody's SQL or JSON. */
const AWKWARD = [
  '',
  'a',
  "it's",
  '"quoted"',
  'back\\slash',
  "\\'; drop table events; --",
  'nul\0inside',
  'line\nfeed\ttab\r',
  '\\N',
  'null',
  'ünï',
  '漢字',
  '👩‍👩‍👧',
  '\u{10ffff}\ue000',
  '%_?{x:String}',
]
export const text = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...AWKWARD) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'binary', maxLength: 8 }).filter((value) => value.isWellFormed()),
  },
)

const VIEWERS = ['ann', 'bob', '', 'ca\\t', 'd\0d', "e'e", '🦊']
export const project = fc.constantFrom('main', 'other', "o'ne\\")
export const content = fc.constantFrom('one', 'two', "th'ree\\", '\u{10ffff}', '\uffff', '')

/** Moments at which hours, days, weeks, months and years meet, some around a leap day, one at the start of 1970. */
const EDGES = [
  '1970-01-01',
  '2023-01-01',
  '2023-12-31',
  '2024-01-01',
  '2024-02-29',
  '2024-03-01',
  '2025-03-01',
  '2025-12-29',
  '2100-03-01',
].map((date) => Date.parse(date) * 1000)
const SECOND = 1_000_000
const HOUR = 3600 * SECOND
const OFFSETS = [-24 * HOUR, -HOUR, -SECOND, -1, 0, 1, SECOND, 30 * SECOND, HOUR, 24 * HOUR, 8 * 24 * HOUR]

/** What there is in a world: times near each other, or far, and often the same; few viewers, or many. */
const setting = fc.record({
  edges: fc.subarray(EDGES, { minLength: 1, maxLength: 3 }),
  spread: fc.subarray(OFFSETS, { minLength: 2 }),
  viewers: fc.subarray(VIEWERS, { minLength: 1 }),
  kinds: fc.subarray(KIND_NAMES, { minLength: 1 }),
})
export type Setting = typeof setting extends fc.Arbitrary<infer T> ? T : never
export const momentOf = ({ edges, spread }: Setting) =>
  fc
    .tuple(fc.constantFrom(...edges), fc.constantFrom(...spread))
    // No event is from before 1970.
    .map(([edge, offset]) => Math.max(0, edge + offset))

const length = fc.oneof(
  fc.constantFrom(0, 1, 999_999, SECOND, 3 * SECOND, 10 * SECOND, 10 * SECOND + 1, 3600 * SECOND),
  fc.constantFrom(MAX_DURATION, MAX_DURATION - 1, 2 * 86_400 * SECOND),
  fc.integer({ min: 0, max: 20 * SECOND }),
)
/** Mostly of a film of ten seconds, so that segments and durations have to do with each other. */
const shortLength = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 12 }).map((seconds) => seconds * SECOND) },
  { weight: 1, arbitrary: length },
)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

/** Numbers as text, and what is none, or more than is counted. */
const figure = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('0', '7', '40', '40', '300', '2500', '007', '99999', '999999999') },
  { weight: 1, arbitrary: fc.constantFrom('-5', '1.5', '1e3', '7\n', '', '100000', '1234567890', '٣') },
)

/** Own fields of a kind; those that reports ask for by name are there more often than not. */
function fieldsOf(kind: Kind): fc.Arbitrary<Record<string, string>> {
  const known: Record<string, fc.Arbitrary<string>> = {
    content_id: content,
    post_id: content,
    feed_id: content,
    view_type: fc.constantFrom('start', 'watch', 'end'),
    page: fc.constantFrom('feed', 'profile'),
    country: fc.constantFrom('NO', 'SE', "É'\\", '', ...'ABCDEFGHIJKL'),
  }
  return fc
    .record(
      Object.fromEntries(
        Object.keys(KINDS[kind]).map((name) => [
          name,
          fc.option(known[name] ?? text, { nil: undefined, freq: known[name] ? 9 : 2 }),
        ]),
      ),
    )
    .map(withoutUndefined<Record<string, string>>)
}

const segments = fc.array(fc.record({ start: shortLength, end: shortLength }), { maxLength: 4 })

/** What a player tells of how well it plays, and what is almost that. */
function playedOf(setting: Setting): fc.Arbitrary<StoredEvent> {
  const session_id = fc.constantFrom('first', 'second', "th'ird", '')
  const mostly = (usual: string, other: string) => fc.constantFrom(...Array(7).fill(usual), other)
  const fields = {
    interaction: fc.record({
      interaction_type: fc.constantFrom(...PLAYBACK, ...PLAYBACK, 'click'),
      element_type: mostly('video', 'button'),
      element_id: content,
      session_id,
      click_x: figure,
      click_y: figure,
    }),
    error: fc.record({
      error_type: mostly('playback', 'network'),
      resource_type: mostly('video', 'image'),
      resource_id: content,
      session_id,
    }),
  }
  return fc.constantFrom('interaction' as const, 'interaction' as const, 'error' as const).chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      time: momentOf(setting),
      fields: fields[kind] as fc.Arbitrary<Record<string, string>>,
    }),
  )
}

function eventOf(setting: Setting): fc.Arbitrary<StoredEvent> {
  return fc.oneof({ weight: 3, arbitrary: anyEventOf(setting) }, { weight: 1, arbitrary: playedOf(setting) })
}

function anyEventOf(setting: Setting): fc.Arbitrary<StoredEvent> {
  const kind = fc.oneof(
    { weight: 3, arbitrary: fc.constant('content_view' as const) },
    { weight: 2, arbitrary: fc.constantFrom(...setting.kinds) },
  )
  return kind.chain((kind) =>
    fc
      .record({
        time: momentOf(setting),
        viewer: maybe(fc.constantFrom(...setting.viewers)),
        fields: fieldsOf(kind),
        view: fc.record({
          video: maybe(content),
          watched: maybe(length),
          duration: maybe(fc.oneof(fc.constantFrom(10 * SECOND, 8 * SECOND), shortLength)),
          segments: maybe(segments),
        }),
      })
      .map(({ view: { segments, ...view }, ...event }) => {
        if (kind !== 'content_view') return withoutUndefined({ kind, ...event })
        return withoutUndefined({
          kind,
          ...event,
          ...view,
          segment_starts: segments?.map(({ start }) => start),
          segment_ends: segments?.map(({ end }) => end),
          segments: segments && JSON.stringify(segments),
        })
      }),
  )
}

const envelope = fc
  .record(Object.fromEntries(ENVELOPE.map((name) => [name, maybe(text)])))
  .map(withoutUndefined<Record<string, string>>)

/** Requests come again at once, within a day to the millisecond, and after it. */
const RECEIVED = [0, 1, ONCE_WITHIN / 2, ONCE_WITHIN - 1, ONCE_WITHIN, ONCE_WITHIN + 1, 2 * ONCE_WITHIN]

function lineOf(organizations: string[], setting: Setting): fc.Arbitrary<EventLine> {
  return fc
    .record({
      organization: fc.constantFrom(...organizations),
      project,
      received: fc.constantFrom(...RECEIVED).map((after) => 1_700_000_000_000 + after),
      arrival: fc.constant(0),
      request: fc.oneof(
        { weight: 2, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constantFrom('r1', "r'2\\", 'r\0three') },
      ),
      viewer: maybe(fc.constantFrom(...setting.viewers)),
      envelope,
      events: fc.array(eventOf(setting), { minLength: 1, maxLength: 5 }),
    })
    .map(withoutUndefined<EventLine>)
}

export interface World {
  setting: Setting
  /** In the order of loading, which is not that of arrival. */
  lines: EventLine[]
  /** How many lines are in a chunk. */
  cut: number
}

export function worldOf(organizations: string[]): fc.Arbitrary<World> {
  return setting.chain((setting) =>
    fc.record({
      setting: fc.constant(setting),
      lines: fc
        .array(lineOf(organizations, setting), { maxLength: 24, size: 'max' })
        .map(inOrderOfArrival)
        .chain((lines) => fc.shuffledSubarray(lines, { minLength: lines.length, maxLength: lines.length })),
      cut: fc.constantFrom(5, 9, 25),
    }),
  )
}

function inOrderOfArrival(lines: EventLine[]): EventLine[] {
  let arrival = 2 ** 50
  return lines.map((line) => {
    const placed = { ...line, arrival }
    arrival += line.events.length
    return placed
  })
}

function withoutUndefined<T extends object>(value: object): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T
}
