import { type TSchema, Type } from 'typebox'
import { exampleId } from '../../base/ids.ts'
import { EXAMPLE_TIME, exampleOf, Id, named, ref } from '../../http/schemas.ts'
import { ENVELOPE, KIND_NAMES, KINDS, type Kind } from '../../platform/events/fields.ts'
import { type FieldType, MAX_TEXT } from './read-field.ts'
import { MAX_ENVELOPE_TEXT, MAX_EVENTS } from './read-request.ts'
import { MAX_SEGMENTS, SEGMENT } from './read-segments.ts'

/** Any text but NUL, as elsewhere. */
const Text = (maxLength: number) => Type.String({ pattern: '^[^\\x00]*$', maxLength })

const Duration = Type.String({
  pattern: '^\\d+(\\.\\d{1,9})?s$',
  description: 'seconds with up to nine further digits and an `s`; at most 315576000000 seconds',
})

const SIMPLE = {
  text: Text(MAX_TEXT),
  duration: Duration,
  double: Type.Number({ format: 'double' }),
  int32: Type.Integer({ format: 'int32', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }),
  boolean: Type.Boolean(),
}

function schemaOf(type: FieldType): TSchema {
  return typeof type === 'string' ? SIMPLE[type] : Type.String({ enum: [...type] })
}

function fieldsOf(types: Readonly<Record<string, FieldType>>): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, Type.Optional(schemaOf(type))]),
  )
}

/** Its fields are known by name only at run time. */
function objectOf(fields: Record<string, TSchema>, options: object = {}) {
  return Type.Unsafe<Record<string, unknown>>(
    Type.Object(fields, { additionalProperties: false, ...options }),
  )
}

const Segment = named('WatchedSegment', objectOf(fieldsOf(SEGMENT)), {
  start_ms: '0s',
  end_ms: '4.5s',
  speed: 1,
})

const Segments = Type.Array(ref(Segment), {
  description: `at most ${MAX_SEGMENTS}, of which those count as one that go on where the one before ends and are the same in all else`,
})

const Timestamp = Type.String({
  format: 'date-time',
  // The format alone lets through what RFC 3339 does not know, such as an offset without a colon.
  pattern:
    '^\\d{4}-\\d\\d-\\d\\d[Tt]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d)$',
  description: 'not before 1970, and not more than 24 hours ahead',
})

/** What each kind is called in the description, and one of it. */
const NAMED_KINDS: Record<Kind, { name: string; example: Record<string, unknown> }> = {
  content_view: {
    name: 'ContentView',
    example: {
      content_id: exampleId('video'),
      content_type: 'MEDIA_TYPE_VIDEO',
      view_type: 'watch',
      page: 'feed',
      watch_duration_ms: '4.5s',
      device_id: 'a-device',
    },
  },
  engagement: {
    name: 'Engagement',
    example: { engagement_type: 'like', resource_type: 'post', resource_id: exampleId('post') },
  },
  error: { name: 'ClientError', example: { error_type: 'playback', error_code: 'MEDIA_ERR_DECODE' } },
  interaction: { name: 'Interaction', example: { interaction_type: 'click', element_id: 'play' } },
  session_start: { name: 'SessionStart', example: { browser: 'Firefox', language: 'pt-BR' } },
}

const members = Object.fromEntries(
  KIND_NAMES.map((kind) => {
    const fields = fieldsOf(KINDS[kind])
    if (kind === 'content_view') fields.segments = Type.Optional(Segments)
    const { name, example } = NAMED_KINDS[kind]
    return [kind, Type.Optional(ref(named(name, objectOf(fields), example)))]
  }),
)

/** `timestamp` and one more. */
const AnalyticsEvent = named(
  'AnalyticsEvent',
  objectOf(
    { timestamp: Timestamp, ...members },
    { minProperties: 2, maxProperties: 2, description: 'has exactly one member beside `timestamp`' },
  ),
  { timestamp: EXAMPLE_TIME, content_view: NAMED_KINDS.content_view.example },
)

/** The description only: a request is checked by read-request.ts, and a test holds the two against each other. */
export const TrackEventsRequest = named(
  'TrackEventsRequest',
  objectOf({
    events: Type.Array(ref(AnalyticsEvent), { maxItems: MAX_EVENTS }),
    ...Object.fromEntries(ENVELOPE.map((name) => [name, Type.Optional(Text(MAX_ENVELOPE_TEXT))])),
    project_id: Type.Optional(Id('project')),
  }),
  { user_id: 'ada', country: 'PT', events: [exampleOf(AnalyticsEvent)] },
)

export const Acknowledgement = named('EventsAcknowledgement', Type.Object({}), {})

const IdempotencyKey = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[\\x20-\\x7e]{1,255}$', description }))

export const EventsQuery = Type.Object({
  idempotency_key: IdempotencyKey(
    'in the place of the header, for `navigator.sendBeacon`, which can set none',
  ),
})

export const EventsHeaders = Type.Object({
  'idempotency-key': IdempotencyKey('the same key and body count once within a day'),
  'content-encoding': Type.Optional(Type.String({ enum: ['gzip'] })),
  'x-project-id': Type.Optional(Id('project')),
})
