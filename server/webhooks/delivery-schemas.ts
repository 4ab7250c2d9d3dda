import { type Static, Type } from 'typebox'
import { exampleId } from '../base/ids.ts'
import { type Page, pageProperties } from '../http/pagination.ts'
import {
  AnsweredId,
  EXAMPLE_TIME,
  exampleOf,
  Id,
  named,
  Pagination,
  ref,
  Timestamp,
} from '../http/schemas.ts'
import { exampleData } from './kinds.ts'
import { Kind } from './schemas.ts'

const STATES = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof STATES)[number]
const State = Type.Unsafe<DeliveryState>({ type: 'string', enum: [...STATES] })

export const OneDelivery = Type.Object({
  org_id: Id('organization'),
  webhook_id: Id('webhook'),
  message_id: Id('message'),
})

export const WebhookMessage = named(
  'WebhookMessage',
  Type.Object({
    id: AnsweredId<'message'>(),
    type: Kind,
    timestamp: Type.String({ format: 'date-time', description: 'when it happened' }),
    data: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  }),
  {
    id: exampleId('message'),
    type: 'video.ready',
    timestamp: EXAMPLE_TIME,
    data: { project_id: exampleId('project'), ...exampleData('video.ready') },
  },
)
export type WebhookMessage = Static<typeof WebhookMessage>

export const MessagePage = named(
  'WebhookMessagePage',
  Type.Object({
    data: Type.Array(ref(WebhookMessage)),
    next_cursor: Type.String({ description: 'for what happens after these; the same where there are none' }),
  }),
  { data: [exampleOf(WebhookMessage)], next_cursor: '42' },
)

export const MessageQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      pattern: '^\\d{1,18}$',
      description: 'from `next_cursor`; without it, only where the list ends now is answered',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
})

const Headers = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
})

const Sent = named(
  'WebhookRequest',
  Type.Object({ url: Type.String(), headers: Headers, body: Type.String() }),
  { url: 'https://app.example.com/hooks/marquee', headers: {}, body: '{"type":"video.ready"}' },
)

const Answered = named(
  'WebhookResponse',
  Type.Object({
    status: Type.Integer(),
    headers: Headers,
    body: Type.String({ description: 'its first 4 KiB' }),
  }),
  { status: 204, headers: {}, body: '' },
)

const Attempt = named(
  'WebhookAttempt',
  Type.Object({
    started_at: Timestamp,
    duration_ms: Type.Integer(),
    request: ref(Sent),
    response: Type.Optional(ref(Answered)),
    error: Type.Optional(Type.String({ description: 'why there is no answer' })),
  }),
  {
    started_at: EXAMPLE_TIME,
    duration_ms: 48,
    request: exampleOf(Sent),
    response: exampleOf(Answered),
  },
)

const delivery = {
  id: AnsweredId<'message'>(),
  message: ref(WebhookMessage),
  state: State,
  attempts: Type.Integer({ description: 'how often it was tried' }),
  next_attempt_at: Type.Optional(Timestamp),
  created_at: Timestamp,
}

const exampleDelivery = {
  id: exampleId('message'),
  message: exampleOf(WebhookMessage),
  state: 'delivered' as const,
  attempts: 1,
  created_at: EXAMPLE_TIME,
}

export const WebhookDelivery = named(
  'WebhookDelivery',
  Type.Object({
    ...delivery,
    last_try: Type.Optional(ref(Attempt)),
  }),
  { ...exampleDelivery, last_try: exampleOf(Attempt) },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const DeliveryDetails = named(
  'WebhookDeliveryDetails',
  Type.Object({ ...delivery, tries: Type.Array(ref(Attempt), { description: 'the latest first' }) }),
  { ...exampleDelivery, tries: [exampleOf(Attempt)] },
)
export type DeliveryDetails = Static<typeof DeliveryDetails>

export const DeliveryList = named(
  'WebhookDeliveryList',
  Type.Object({ data: Type.Array(ref(WebhookDelivery)), pagination: ref(Pagination) }),
  { data: [exampleOf(WebhookDelivery)], pagination: exampleOf(Pagination) },
)

export const DeliveryQuery = Type.Unsafe<Page & { state?: DeliveryState }>(
  Type.Object({ ...pageProperties, state: Type.Optional(State) }),
)

export const Replay = named(
  'WebhookReplay',
  Type.Object({
    since: Type.Optional(Timestamp),
    until: Type.Optional(Timestamp),
    state: Type.Optional(State),
  }),
  { since: EXAMPLE_TIME, state: 'failed' },
)
export type Replay = Static<typeof Replay>

export const Replayed = named('WebhookReplayed', Type.Object({ replayed: Type.Integer() }), { replayed: 12 })
