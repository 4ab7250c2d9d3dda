import { type Static, Type } from 'typebox'
import { exampleId } from '../../base/ids.ts'
import { type Page, pageProperties } from '../../http/pagination.ts'
import {
  AnsweredId,
  CursorPagination,
  EXAMPLE_TIME,
  exampleOf,
  named,
  ref,
  Timestamp,
} from '../../http/schemas.ts'

const ACTIONS = [
  'key.created',
  'key.rotated',
  'key.revoked',
  'member.invited',
  'member.invitation_withdrawn',
  'member.joined',
  'member.role_changed',
  'member.status_changed',
  'member.removed',
  'policy.created',
  'policy.changed',
  'policy.deleted',
  'policy.attached',
  'policy.detached',
  'plan.changed',
  'project.created',
  'project.changed',
  'project.deleted',
  'project.image_secret_rotated',
  'signing_key.created',
  'signing_key.deleted',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.secret_rotated',
] as const
export type AuditAction = (typeof ACTIONS)[number]

const Action = Type.Unsafe<AuditAction>({ type: 'string', enum: [...ACTIONS] })

const Part = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })

export const AuditEntry = named(
  'AuditEntry',
  Type.Object({
    id: Type.String(),
    at: Timestamp,
    action: Action,
    actor: Type.String({
      description:
        'the id of a user or a key, `operator`, `billing`, or `dns` where another project has proved a domain',
    }),
    actor_name: Type.Optional(Type.String({ description: 'of a user or a key that is still there' })),
    address: Type.Optional(Type.String({ description: 'where the request came from' })),
    user_agent: Type.Optional(Type.String()),
    project_id: Type.Optional(AnsweredId<'project'>()),
    resource: Type.String({ description: 'the id of what was changed' }),
    resource_name: Type.Optional(Type.String({ description: 'what it was called then' })),
    before: Type.Optional(Part('what was changed of it, as it was; all of it where it is gone')),
    after: Type.Optional(Part('what was changed of it, as it became; all of it where it is new')),
  }),
  {
    id: '42',
    at: EXAMPLE_TIME,
    action: 'key.created',
    actor: exampleId('user'),
    address: '198.51.100.7',
    project_id: exampleId('project'),
    resource: exampleId('key'),
    resource_name: 'Backend',
    after: { kind: 'sk' },
  },
)
export type AuditEntry = Static<typeof AuditEntry>

export const AuditPage = named(
  'AuditPage',
  Type.Object({ data: Type.Array(ref(AuditEntry)), pagination: ref(CursorPagination) }),
  { data: [exampleOf(AuditEntry)], pagination: exampleOf(CursorPagination) },
)

export interface AuditQuery extends Page {
  cursor?: string
  actor?: string
  action?: AuditAction
  resource?: string
}

export const AuditQuery = Type.Unsafe<AuditQuery>(
  Type.Object({
    ...pageProperties,
    cursor: Type.Optional(
      Type.String({
        pattern: '^\\d{1,18}$',
        description: 'from `pagination.next_cursor`; instead of `offset`',
      }),
    ),
    actor: Type.Optional(Type.String({ maxLength: 100 })),
    action: Type.Optional(Action),
    resource: Type.Optional(Type.String({ maxLength: 100 })),
  }),
)
