import { Type } from 'typebox'
import { operation } from '../http/operation.ts'
import { IN_PLACE, partOf, partQuery } from '../http/pagination.ts'
import { ref } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import { unpack } from '../http/unpack.ts'
import { billingEventRoutes } from './event-routes.ts'
import { type BillingComponent, MAX_BODY } from './port.ts'
import type { ReplayEventDeps } from './replay-event.ts'
import {
  BillingPlanList,
  BillingSubscription,
  OneOrganization,
  ProviderPayload,
  Received,
  SignatureHeaderFields,
  StorageUsage,
} from './schemas.ts'
import { type PlanTerms, showPlans } from './show-plans.ts'
import { showStorageUsage } from './show-storage-usage.ts'
import { showSubscription } from './show-subscription.ts'
import { showUsageHistory } from './show-usage-history.ts'
import { signatureHeadersOf } from './signature-headers.ts'
import { UsageHistory, UsageHistoryQuery } from './usage-schemas.ts'

const tag = 'Billing'
const UNKNOWN = { 404: 'Not Found' }

export interface BillingDeps extends PlanTerms, ReplayEventDeps {
  billing: BillingComponent
}

export function billingRoutes(deps: BillingDeps): (app: App) => void {
  return (app) => {
    webhookRoute(app, deps.billing)
    billingEventRoutes(app, deps)

    app.get(
      '/billing/v1/plans',
      operation({
        tag,
        id: 'listPlans',
        summary: 'List the plans and what each allows',
        request: { querystring: partQuery(IN_PLACE) },
        answers: { 200: ref(BillingPlanList) },
      }),
      async (request) => ({ plans: partOf(showPlans(request.caller, deps), request.query) }),
    )

    app.get(
      '/billing/v1/subscription',
      operation({
        tag,
        id: 'getSubscription',
        summary: 'Show the plan of an organization and the subscription that it comes from',
        errors: UNKNOWN,
        request: { querystring: OneOrganization },
        answers: { 200: ref(BillingSubscription) },
      }),
      (request) => showSubscription(request.caller, request.query.org_id, deps),
    )

    app.get(
      '/billing/v1/storage-usage',
      operation({
        tag,
        id: 'getStorageUsage',
        summary: 'Show the storage that the projects of an organization use; to a key, its own project’s',
        errors: UNKNOWN,
        request: { querystring: OneOrganization },
        answers: { 200: ref(StorageUsage) },
      }),
      (request) => showStorageUsage(request.caller, request.query.org_id, deps),
    )

    app.get(
      '/billing/v1/usage-history',
      operation({
        tag,
        id: 'getUsageHistory',
        summary: 'Show what the projects of an organization used day by day; to a key, its own project',
        description:
          'A sample is taken once a day, soon after midnight UTC; `now` is what is used as this is answered. `limit` and `offset` are about the projects.',
        errors: UNKNOWN,
        request: { querystring: UsageHistoryQuery },
        answers: { 200: ref(UsageHistory) },
      }),
      (request) => showUsageHistory(request.caller, request.query, deps),
    )
  }
}

function webhookRoute(app: App, billing: BillingComponent): void {
  app.register(async (inner) => {
    const scope = inner as App
    // The signature is over bytes: whatever their type is said to be, they are kept as they come.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const usual = scope.validatorCompiler!
    scope.setValidatorCompiler((route) => (route.httpPart === 'body' ? () => true : usual(route)))

    scope.post(
      '/billing/webhooks/:provider',
      {
        ...operation({
          tag,
          id: 'receiveWebhook',
          summary: 'Receive a webhook of a payment provider',
          description:
            'Shows no credential but its signature: by Standard Webhooks, or by Stripe’s scheme, as the provider is configured. Over 1 MiB, packed or unpacked, is refused; a signature is over the unpacked body. Answered with 200 once the event is stored; with 503 where it cannot be, to be sent again.',
          credential: 'none',
          limit: 'webhooks',
          errors: UNKNOWN,
          request: {
            params: Type.Object({ provider: Type.String({ examples: ['payments'] }) }),
            headers: SignatureHeaderFields,
            body: ProviderPayload,
          },
          answers: { 200: ref(Received) },
        }),
        bodyLimit: MAX_BODY,
      },
      async ({ params, raw, body }) => {
        const bytes = (body as unknown as Buffer | undefined) ?? Buffer.alloc(0)
        const status = await billing.receive({
          provider: params.provider,
          // A content encoding is put around it on the way, after it was signed.
          body: await unpack(bytes, raw.headers['content-encoding'], MAX_BODY),
          headers: signatureHeadersOf(raw.headers),
        })
        return { status }
      },
    )
  })
}
