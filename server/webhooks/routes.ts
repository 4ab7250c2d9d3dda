import { Type } from 'typebox'
import { operation } from '../http/operation.ts'
import { PageQuery } from '../http/pagination.ts'
import { ref } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import type { DeliveriesDeps } from './deliveries.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateSecret,
  showWebhook,
} from './endpoints.ts'
import {
  NewWebhook,
  OfOrganization,
  OneWebhook,
  SecretRotation,
  WebhookChanges,
  WebhookList,
  WebhookResult,
  webhookOf,
} from './schemas.ts'

const tag = 'Webhooks'
const UNKNOWN = { 404: 'Not Found' }
const BASE = '/organizations/:org_id/webhooks/v1'

export function webhookRoutes(deps: DeliveriesDeps): (app: App) => void {
  const { sql } = deps
  return (app) => {
    app.get(
      BASE,
      operation({
        tag,
        id: 'listWebhooks',
        summary: 'List the webhooks of an organization’s projects',
        request: { params: OfOrganization, querystring: PageQuery },
        answers: { 200: ref(WebhookList) },
      }),
      ({ caller, params, query }) => listWebhooks(caller, params.org_id, query, sql),
    )

    app.post(
      BASE,
      operation({
        tag,
        id: 'createWebhook',
        summary: 'Have an address called when something happens in a project',
        description: 'The secret that deliveries are signed with is in this answer and nowhere else.',
        errors: { ...UNKNOWN, 409: 'Conflict' },
        request: { params: OfOrganization, body: NewWebhook },
        answers: { 201: ref(WebhookResult) },
      }),
      async ({ caller, params, body }, reply) =>
        reply.code(201).send({ webhook: await createWebhook(caller, params.org_id, body, sql) }),
    )

    app.get(
      `${BASE}/:webhook_id`,
      operation({
        tag,
        id: 'getWebhook',
        summary: 'Show a webhook',
        errors: UNKNOWN,
        request: { params: OneWebhook },
        answers: { 200: ref(WebhookResult) },
      }),
      async ({ caller, params }) => ({ webhook: await showWebhook(caller, webhookOf(params), sql) }),
    )

    app.patch(
      `${BASE}/:webhook_id`,
      operation({
        tag,
        id: 'changeWebhook',
        summary: 'Change a webhook, or switch it off or on',
        errors: UNKNOWN,
        request: { params: OneWebhook, body: WebhookChanges },
        answers: { 200: ref(WebhookResult) },
      }),
      async ({ caller, params, body }) => ({
        webhook: await changeWebhook(caller, webhookOf(params), body, sql),
      }),
    )

    app.delete(
      `${BASE}/:webhook_id`,
      operation({
        tag,
        id: 'deleteWebhook',
        summary: 'Delete a webhook with the record of its deliveries',
        errors: UNKNOWN,
        request: { params: OneWebhook },
        answers: { 204: Type.Null() },
      }),
      async ({ caller, params }, reply) => {
        await deleteWebhook(caller, webhookOf(params), sql)
        return reply.code(204).send(null)
      },
    )

    app.post(
      `${BASE}/:webhook_id/rotate`,
      operation({
        tag,
        id: 'rotateWebhookSecret',
        summary:
          'Give a webhook a new secret; deliveries are signed with the old one too for `grace_seconds`',
        errors: UNKNOWN,
        optionalBody: true,
        request: { params: OneWebhook, body: SecretRotation },
        answers: { 200: ref(WebhookResult) },
      }),
      async ({ caller, params, body }) => {
        const wanted = { ...webhookOf(params), graceSeconds: body.grace_seconds ?? 86400 }
        return { webhook: await rotateSecret(caller, wanted, sql) }
      },
    )

    deliveryRoutes(app, deps)
  }
}
