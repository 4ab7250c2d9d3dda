import fc from 'fast-check'
import { SEGMENT } from '../../server/analytics/events/read-segments.ts'
import { ENVELOPE, KIND_NAMES, KINDS } from '../../server/platform/events/fields.ts'

type Type = 'text' | 'duration' | 'double' | 'int32' | 'boolean' | readonly string[]

/** Short texts of all that makes trouble: quotes, line ends, half pairs, more than 16 bits, names of prototypes. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    '',
    '"',
    '\\',
    '\n',
    '\0',
    '\ud800',
    'a\udc00b',
    '😀',
    '\u2028',
    '__proto__',
    'start',
    '{}',
  ),
)

const duration = fc
  .tuple(fc.nat({ max: 400_000 }), fc.option(fc.stringMatching(/^\d{1,9}$/), { nil: undefined }))
  .map(([seconds, fraction]) => `${seconds}${fraction === undefined ? '' : `.${fraction}`}s`)

const time = fc
  .date({ min: new Date(0), max: new Date('2026-11-15T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString())

const VALID: Record<string, fc.Arbitrary<unknown>> = {
  text: text.filter((value) => !value.includes('\0')),
  duration,
  double: fc.double({ noNaN: true, noDefaultInfinity: true }),
  int32: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  boolean: fc.boolean(),
}

/** What is almost right, for some field. */
const ODD_DURATIONS = ['1', '-1s', '1.s', '.5s', '1.0000000001s', '1S', '315576000000s', '315576000000.1s', 1]
const ODD_TIMES = [
  '2026-11-14T00:00:00',
  '2026-11-14 00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '2026-11-16T00:00:00.001Z',
  '2026-11-14T00:00:60Z',
  '2026-11-14T23:59:60Z',
  '2026-11-14T24:59:30+01:00',
  '2026-11-14T00:00:00+0100',
  '2026-11-14T00:00:00+01',
  '2026-11-14T00:00:00.5+01:00',
  '2026-02-29T00:00:00Z',
  0,
]
const ODD = [
  null,
  true,
  0,
  -0,
  1.5,
  2 ** 31,
  -(2 ** 31) - 1,
  1e300,
  [],
  {},
  '1s',
  'Start',
  'MEDIA_TYPE_VIDEO ',
]
const odd: fc.Arbitrary<unknown> = fc.oneof(text, fc.constantFrom(...ODD, ...ODD_DURATIONS, ...ODD_TIMES))

/** Of those that are near to what the field is, where there are some. */
function oddFor(name: string, pick: number, otherwise: unknown): unknown {
  const near = name === 'timestamp' ? ODD_TIMES : name.endsWith('_ms') ? ODD_DURATIONS : []
  return near[pick % (near.length + 1)] ?? otherwise
}

const valueFor = (type: Type) => (typeof type === 'string' ? VALID[type]! : fc.constantFrom(...type))

const fieldsOf = (types: Readonly<Record<string, Type>>) =>
  fc.record(Object.fromEntries(Object.entries(types).map(([name, type]) => [name, valueFor(type)])), {
    requiredKeys: [],
    noNullPrototype: true,
  })

const event = fc.oneof(
  ...KIND_NAMES.map((kind) => {
    const fields = fieldsOf(KINDS[kind])
    if (kind !== 'content_view') return fc.record({ timestamp: time, [kind]: fields })
    const segments = fc.option(fc.array(fieldsOf(SEGMENT), { maxLength: 3 }), { nil: undefined })
    const view = fc.tuple(fields, segments).map(([own, parts]) => (parts ? { ...own, segments: parts } : own))
    return fc.record({ timestamp: time, [kind]: view })
  }),
)

export const validRequest = fc
  .tuple(
    fieldsOf(Object.fromEntries(ENVELOPE.map((name) => [name, 'text'] as const))),
    fc.array(event, { maxLength: 4 }),
  )
  .map(([envelope, events]): Record<string, unknown> => ({ ...envelope, events }))

/** Where something can be put into a value: its own places and those of what it holds. */
function placesOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    [...path, name],
    ...placesOf(inner, [...path, name]),
  ])
}

const names = fc.constantFrom(
  ...['timestamp', 'events', 'segments', 'project_id', '__proto__', 'constructor', 'toString', 'view_type'],
  ...['content_view', 'engagement', 'speed', 'click_x', 'user_id', 'hasOwnProperty', ''],
)

/** A valid request with one thing in it replaced, removed or added. */
export const nearRequest = fc
  .tuple(validRequest, fc.nat(), fc.constantFrom('replace', 'remove', 'add'), names, fc.nat(), odd)
  .map(([request, at, how, name, pick, value]) => {
    const copy = structuredClone(request)
    const places = placesOf(copy)
    const path = places[at % places.length]!
    const holder = path.slice(0, -1).reduce<Record<string, unknown>>((o, key) => o[key] as never, copy)
    const last = String(path.at(-1))
    if (how === 'replace') holder[last] = oddFor(last, pick, value)
    else if (how === 'add' && !Array.isArray(holder))
      // An own property, as JSON.parse makes it, also of a name that is special to assignment.
      Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
    else if (Array.isArray(holder)) holder.splice(Number(last), 1)
    else delete holder[last]
    return copy
  })
