import { ProjectHeader, projectOf } from '../access/index.ts'
import { operation } from '../http/operation.ts'
import { ref } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import {
  type DeliveriesDeps,
  listDeliveries,
  listMessages,
  replayDeliveries,
  replayDelivery,
  showDelivery,
  testWebhook,
} from './deliveries.ts'
import {
  DeliveryDetails,
  DeliveryList,
  DeliveryQuery,
  MessagePage,
  MessageQuery,
  OneDelivery,
  Replay,
  Replayed,
} from './delivery-schemas.ts'
import { OneWebhook, TestMessage, webhookOf } from './schemas.ts'

const tag = 'Webhooks'
const UNKNOWN = { 404: 'Not Found' }
const OFF = { ...UNKNOWN, 409: 'Conflict' }
const BASE = '/organizations/:org_id/webhooks/v1'

export function deliveryRoutes(app: App, deps: DeliveriesDeps): void {
  app.get(
    '/webhooks/v1/messages',
    operation({
      tag,
      id: 'listWebhookMessages',
      summary: 'List what has happened in a project since a cursor, in the order in which it is told',
      description:
        'For whoever cannot be called, a machine of a developer say. Ask without `after` for the cursor of now, then with it again and again.',
      request: { headers: ProjectHeader, querystring: MessageQuery },
      answers: { 200: ref(MessagePage) },
    }),
    async (request) => {
      const { after, limit = 25 } = request.query
      return listMessages(request.caller, await projectOf(request, deps.sql), { after, limit }, deps)
    },
  )

  app.post(
    `${BASE}/:webhook_id/test`,
    operation({
      tag,
      id: 'testWebhook',
      summary: 'Send a webhook an example of a message',
      description:
        'It is delivered like any other; `data` says `test: true`, and has ids that stand for nothing.',
      errors: OFF,
      optionalBody: true,
      request: { params: OneWebhook, body: TestMessage },
      answers: { 202: ref(DeliveryDetails) },
    }),
    async ({ caller, params, body }, reply) => {
      return reply.code(202).send(await testWebhook(caller, webhookOf(params), body.kind, deps))
    },
  )

  app.get(
    `${BASE}/:webhook_id/deliveries`,
    operation({
      tag,
      id: 'listWebhookDeliveries',
      summary: 'List what a webhook was told, the latest first',
      description: 'With the last request and answer of each for those who hold `projects:write`.',
      errors: UNKNOWN,
      request: { params: OneWebhook, querystring: DeliveryQuery },
      answers: { 200: ref(DeliveryList) },
    }),
    ({ caller, params, query: { limit, offset, state } }) =>
      listDeliveries(caller, webhookOf(params), { limit, offset, state }, deps),
  )

  app.get(
    `${BASE}/:webhook_id/deliveries/:message_id`,
    operation({
      tag,
      id: 'getWebhookDelivery',
      summary: 'Show a delivery with each request and answer',
      description: 'Needs `projects:write`: an answer may hold anything.',
      errors: UNKNOWN,
      request: { params: OneDelivery },
      answers: { 200: ref(DeliveryDetails) },
    }),
    ({ caller, params }) => showDelivery(caller, webhookOf(params), params.message_id, deps),
  )

  app.post(
    `${BASE}/:webhook_id/deliveries/:message_id/replay`,
    operation({
      tag,
      id: 'replayWebhookDelivery',
      summary: 'Deliver a message once more, under the same id',
      errors: OFF,
      request: { params: OneDelivery },
      answers: { 202: ref(DeliveryDetails) },
    }),
    async ({ caller, params }, reply) => {
      return reply.code(202).send(await replayDelivery(caller, webhookOf(params), params.message_id, deps))
    },
  )

  app.post(
    `${BASE}/:webhook_id/replay`,
    operation({
      tag,
      id: 'replayWebhookDeliveries',
      summary: 'Deliver once more what happened in a time, or what failed, or both',
      errors: OFF,
      request: { params: OneWebhook, body: Replay },
      answers: { 202: ref(Replayed) },
    }),
    async ({ caller, params, body }, reply) => {
      return reply.code(202).send(await replayDeliveries(caller, webhookOf(params), body, deps))
    },
  )
}
