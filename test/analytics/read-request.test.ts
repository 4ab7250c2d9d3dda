import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { durationOf } from '../../server/analytics/durations.ts'
import { readRequest } from '../../server/analytics/events/read-request.ts'
import { TrackEventsRequest } from '../../server/analytics/events/schemas.ts'
import { Refusal } from '../../server/base/errors.ts'
import { timeOf } from '../../server/base/rfc3339.ts'
import { namedSchemas } from '../../server/http/schemas.ts'
import { at, lineOf, NOW } from './lines.ts'
import { nearRequest, validRequest } from './requests.ts'

const ajv = new Ajv({ strict: true })
;(addFormats as unknown as (ajv: Ajv, formats: string[]) => void)(ajv, ['date-time', 'int32', 'double'])
ajv.addSchema(namedSchemas())
const fitsSchema = ajv.compile(TrackEventsRequest)

/** What the schema cannot say: how late an event may be, and how long a duration. */
function isWithinBounds(value: unknown, name = ''): boolean {
  if (name === 'timestamp')
    return timeOf(String(value)) >= 0 && timeOf(String(value)) <= (NOW + 86_400_000) * 1000
  if (name.endsWith('_ms')) return !Number.isNaN(durationOf(String(value)))
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([inner, own]) => isWithinBounds(own, inner))
}

function refusalOf(body: string): string | undefined {
  try {
    readRequest(body, NOW)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `${error.status} ${error.details}`
  }
}

function agrees(body: string): void {
  const parsed = JSON.parse(body)
  const accepted = fitsSchema(parsed) && isWithinBounds(parsed)
  const refusal = refusalOf(body)
  expect(refusal === undefined, `${refusal} ${JSON.stringify(fitsSchema.errors)}`).toBe(accepted)
}

test('takes what the schema takes', () => {
  fc.assert(
    fc.property(validRequest, (request) => {
      const body = JSON.stringify(request)
      expect(fitsSchema(JSON.parse(body)), JSON.stringify(fitsSchema.errors)).toBe(true)
      expect(refusalOf(body)).toBeUndefined()
    }),
    { numRuns: 1500 },
  )
})

test('takes and refuses with the schema where something is almost right', () => {
  fc.assert(
    fc.property(nearRequest, (request) => agrees(JSON.stringify(request))),
    { numRuns: 6000 },
  )
})

const AT = '"timestamp":"2026-11-14T12:00:00Z"'

test.each([
  'null',
  '[]',
  '1',
  '"x"',
  '{}',
  '{"events":[]}',
  '{"events":{}}',
  '{"events":null}',
  '{"events":[null]}',
  '{"events":[[]]}',
  '{"events":[],"events":1}',
  '{"events":1,"events":[]}',
  '{"events":[],"__proto__":{}}',
  '{"events":[],"constructor":{"prototype":{}}}',
  `{"events":[{${AT}}]}`,
  `{"events":[{${AT},"error":{}}]}`,
  `{"events":[{"error":{}}]}`,
  `{"events":[{${AT},"error":{},"engagement":{}}]}`,
  `{"events":[{${AT},"error":{},"error":{"os":"x"}}]}`,
  `{"events":[{${AT},"__proto__":{}}]}`,
  `{"events":[{${AT},"error":{"__proto__":"x"}}]}`,
  `{"events":[{${AT},"error":{"toString":"x"}}]}`,
  `{"events":[{${AT},"error":null}]}`,
  `{"events":[{${AT},"error":[]}]}`,
  `{"events":[{${AT},"interaction":{"click_x":-0}}]}`,
  `{"events":[{${AT},"interaction":{"click_x":1.0}}]}`,
  `{"events":[{${AT},"interaction":{"click_x":1e2}}]}`,
  `{"events":[{${AT},"interaction":{"click_x":2147483647}}]}`,
  `{"events":[{${AT},"interaction":{"click_x":2147483648}}]}`,
  `{"events":[{${AT},"interaction":{"scroll_depth":1e999}}]}`,
  `{"events":[{${AT},"interaction":{"scroll_depth":-1e999}}]}`,
  `{"events":[{${AT},"interaction":{"scroll_depth":1e-999}}]}`,
  `{"events":[{${AT},"interaction":{"page":"\\u0000"}}]}`,
  `{"events":[{${AT},"interaction":{"page":"\\ud800"}}]}`,
  `{"events":[{${AT},"content_view":{"segments":{}}}]}`,
  `{"events":[{${AT},"content_view":{"segments":[{"speed":"1"}]}}]}`,
  `{"events":[{${AT},"content_view":{"segments":[{"__proto__":1}]}}]}`,
  `{"events":[{${AT},"engagement":{"segments":[]}}]}`,
  '{"events":[],"project_id":"x"}',
  '{"events":[],"project_id":"proj_01k9abcdefghjkmnpqrstvwxyz"}',
])('takes or refuses with the schema: %s', (body) => agrees(body))

const good = { ...at, error: {} }

test.each([
  ['', '400 body: is required'],
  ['{', '400 body: not valid JSON'],
  ['[]', '400 body: must be object'],
  [{}, '400 events: is required'],
  [{ events: {} }, '400 events: must be array'],
  [{ events: [], country: 1 }, '400 country: must be string'],
  [{ events: [], countries: '' }, '400 countries: is unknown'],
  [{ events: [], project_id: 'x' }, '400 project_id: is malformed'],
  [{ events: [good, null] }, '400 events[1]: must be object'],
  [{ events: [{ error: {} }] }, '400 events[0].timestamp: is required'],
  [{ events: [{ ...good, timestamp: 'now' }] }, '400 events[0].timestamp: must be a date-time of RFC 3339'],
  [
    { events: [{ ...good, timestamp: '2026-11-16T00:00:00.000001Z' }] },
    '400 events[0].timestamp: must not be more than 24 hours ahead',
  ],
  [
    { events: [{ ...good, timestamp: '1969-12-31T23:59:59.999999Z' }] },
    '400 events[0].timestamp: must not be before 1970',
  ],
  [
    { events: [at] },
    '400 events[0]: must have exactly one of content_view, engagement, error, interaction, session_start',
  ],
  [
    { events: [{ ...good, engagement: {} }] },
    '400 events[0]: must have exactly one of content_view, engagement, error, interaction, session_start',
  ],
  [{ events: [{ ...at, view: {} }] }, '400 events[0].view: is unknown'],
  [{ events: [{ ...at, error: [] }] }, '400 events[0].error: must be object'],
  [
    { events: [good, good, good, { ...at, content_view: { view_type: 'play' } }] },
    '400 events[3].content_view.view_type: must be one of start, watch, end',
  ],
  [
    { events: [{ ...at, content_view: { watch_duration_ms: 12 } }] },
    '400 events[0].content_view.watch_duration_ms: must be seconds with up to nine further digits and an s, as in 12.345s',
  ],
  [
    { events: [{ ...at, content_view: { segments: [{}, { speed: '2' }] } }] },
    '400 events[0].content_view.segments[1].speed: must be number',
  ],
  [
    { events: [{ ...at, content_view: { segments: [1] } }] },
    '400 events[0].content_view.segments[0]: must be object',
  ],
  [
    { events: [{ ...at, interaction: { click_x: 0.5 } }] },
    '400 events[0].interaction.click_x: must be integer',
  ],
  [
    { events: [{ ...at, interaction: { click_y: 2 ** 31 } }] },
    '400 events[0].interaction.click_y: must fit into 32 bits',
  ],
  [
    { events: [{ ...at, session_start: { touch_support: 'yes' } }] },
    '400 events[0].session_start.touch_support: must be boolean',
  ],
  [{ events: [{ ...at, error: { os: 'a\0b' } }] }, '400 events[0].error.os: must not contain NUL'],
  [
    { events: [good, { ...at, content_view: { segments: Array(501).fill({ end_ms: '1s' }) } }] },
    '400 events[1].content_view.segments: at most 500; those that go on where the one before ends count as one',
  ],
  [
    { events: [{ ...at, error: { stack_trace: 'x'.repeat(16_385) } }] },
    '400 events[0].error.stack_trace: must not be longer than 16384 characters',
  ],
  [{ events: [good], user_id: 'x'.repeat(1025) }, '400 user_id: must not be longer than 1024 characters'],
  [{ events: Array(1001).fill(good) }, '413 events: at most 1000 in a request'],
])('%j: %s', (body, expected) => {
  expect(refusalOf(typeof body === 'string' ? body : JSON.stringify(body))).toBe(expected)
})

interface Member {
  segments?: object[]
}

/** The same by copying, field by field. */
function keptOf(value: unknown): string {
  return String(value).toWellFormed()
}

test('keeps every field as text, whatever is in it', () => {
  fc.assert(
    fc.property(validRequest, (sent) => {
      const request = JSON.parse(JSON.stringify(sent))
      const { events, ...envelope } = request
      const line = lineOf(request)
      const texts = (fields: object) =>
        Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, keptOf(value)]))
      expect(line.envelope).toEqual(texts(envelope))
      for (const [i, { timestamp, ...member }] of events.entries()) {
        const [[kind, { segments, ...fields }]] = Object.entries(member) as [[string, Member]]
        const event = line.events[i]!
        expect([event.kind, event.time]).toEqual([kind, timeOf(timestamp)])
        expect(event.fields).toEqual(texts(fields))
        if (!segments?.length) expect(event.segments).toBeUndefined()
        else
          expect(JSON.parse(event.segments!)).toEqual(
            segments.map((segment: object) =>
              Object.fromEntries(
                Object.entries(segment).map(([n, v]) => [n, typeof v === 'string' ? keptOf(v) : v]),
              ),
            ),
          )
      }
    }),
    { numRuns: 1500 },
  )
})

test('texts are as long as the schema says, counted by code points', () => {
  for (const length of [1023, 1024, 1025]) {
    agrees(JSON.stringify({ events: [], country: '😀'.repeat(length) }))
    agrees(JSON.stringify({ events: [{ ...at, error: { os: '😀'.repeat(length + 15_360) } }] }))
  }
})
