import { type TSchema, Type } from 'typebox'
import { Id, named } from '../../http/schemas.ts'
import { ENVELOPE, KIND_NAMES, KINDS } from '../../platform/events/fields.ts'
import { type Type as FieldType, MAX_TEXT } from './read-field.ts'
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

const STRICT = { additionalProperties: false }

const Segments = Type.Array(Type.Object(fieldsOf(SEGMENT), STRICT), {
  description: `at most ${MAX_SEGMENTS}, of which those count as one that go on where the one before ends and are the same in all else`,
})

const Timestamp = Type.String({
  format: 'date-time',
  // The format alone lets through what RFC 3339 does not know, such as an offset without a colon.
  pattern:
    '^\\d{4}-\\d\\d-\\d\\d[Tt]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d)$',
  description: 'not before 1970, and not more than 24 hours ahead',
})

const members = Object.fromEntries(
  KIND_NAMES.map((kind) => {
    const fields = fieldsOf(KINDS[kind])
    if (kind === 'content_view') fields.segments = Type.Optional(Segments)
    return [kind, Type.Optional(Type.Object(fields, STRICT))]
  }),
)

/** `timestamp` and one more. */
const AnalyticsEvent = Type.Object(
  { timestamp: Timestamp, ...members },
  { ...STRICT, minProperties: 2, maxProperties: 2, description: 'has exactly one member beside `timestamp`' },
)

/** The description only: a request is checked by read-request.ts, and a test holds the two against each other. */
export const TrackEventsRequest = named(
  'TrackEventsRequest',
  Type.Object(
    {
      events: Type.Array(AnalyticsEvent, { maxItems: MAX_EVENTS }),
      ...Object.fromEntries(ENVELOPE.map((name) => [name, Type.Optional(Text(MAX_ENVELOPE_TEXT))])),
      project_id: Type.Optional(Id('project')),
    },
    STRICT,
  ),
)

export const EventsHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[\\x20-\\x7e]{1,255}$',
      description: 'the same key and body count once within a day',
    }),
  ),
  'content-encoding': Type.Optional(Type.String({ enum: ['gzip'] })),
  'x-project-id': Type.Optional(Id('project')),
})
