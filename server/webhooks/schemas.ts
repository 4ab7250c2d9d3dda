import { type Static, Type } from 'typebox'
import { exampleId } from '../base/ids.ts'
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
import { MESSAGE_KINDS, type MessageKind } from './kinds.ts'

export const Kind = Type.Unsafe<MessageKind>({ type: 'string', enum: [...MESSAGE_KINDS] })
const Kinds = Type.Array(Kind, { maxItems: MESSAGE_KINDS.length, uniqueItems: true })

export const OfOrganization = Type.Object({ org_id: Id('organization') })
export const OneWebhook = Type.Object({ org_id: Id('organization'), webhook_id: Id('webhook') })

/** The one that a path names. */
export function webhookOf({ org_id: orgId, webhook_id: id }: Static<typeof OneWebhook>) {
  return { orgId, id }
}

const Description = Type.String({ maxLength: 500, pattern: '^[^\\x00]*$' })
const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'http or https; https is what to use outside of development',
  examples: ['https://app.example.com/hooks/marquee'],
})

export const Webhook = named(
  'Webhook',
  Type.Object({
    id: AnsweredId<'webhook'>(),
    project_id: AnsweredId<'project'>(),
    url: Type.String(),
    kinds: Type.Array(Kind, { description: 'none: all of them, those to come too' }),
    description: Type.String(),
    enabled: Type.Boolean(),
    disabled_reason: Type.Optional(Type.String({ description: 'why it is switched off' })),
    failing_since: Type.Optional(
      Type.String({ format: 'date-time', description: 'absent where the last delivery was taken' }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
    secret: Type.Optional(
      Type.String({ description: 'what deliveries are signed with; shown only when it is made' }),
    ),
  }),
  {
    id: exampleId('webhook'),
    project_id: exampleId('project'),
    url: 'https://app.example.com/hooks/marquee',
    kinds: ['video.ready', 'video.failed'],
    description: 'Backend',
    enabled: true,
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
  },
)
export type Webhook = Static<typeof Webhook>

export const WebhookResult = named('WebhookResult', Type.Object({ webhook: ref(Webhook) }), {
  webhook: { ...exampleOf(Webhook), secret: 'whsec_shown-once' },
})

export const WebhookList = named(
  'WebhookList',
  Type.Object({ data: Type.Array(ref(Webhook)), pagination: ref(Pagination) }),
  { data: [exampleOf(Webhook)], pagination: exampleOf(Pagination) },
)

export const NewWebhook = named(
  'NewWebhook',
  Type.Object({
    project_id: Id('project'),
    url: Url,
    kinds: Type.Optional(Kinds),
    description: Type.Optional(Description),
  }),
  {
    project_id: exampleId('project'),
    url: 'https://app.example.com/hooks/marquee',
    kinds: ['video.ready', 'video.failed'],
  },
)
export type NewWebhook = Static<typeof NewWebhook>

export const WebhookChanges = named(
  'WebhookChanges',
  Type.Object({
    url: Type.Optional(Url),
    kinds: Type.Optional(Kinds),
    description: Type.Optional(Description),
    enabled: Type.Optional(
      Type.Boolean({ description: 'false holds it back; true also takes back that it was switched off' }),
    ),
  }),
  { kinds: [], enabled: true },
)
export type WebhookChanges = Static<typeof WebhookChanges>

export const SecretRotation = named(
  'WebhookSecretRotation',
  Type.Object({
    grace_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30 * 86400,
        default: 86400,
        description: 'how long deliveries are signed with the old secret as well',
      }),
    ),
  }),
  { grace_seconds: 86400 },
)

export const TestMessage = named('WebhookTest', Type.Object({ kind: Type.Optional(Kind) }), {
  kind: 'video.ready',
})
