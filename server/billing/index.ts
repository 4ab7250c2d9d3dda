// Payment webhooks and the plans that they give: what the start and the command line use.

export { answerForwarded } from './component/routes.ts'
export { billingElsewhere } from './forward-webhook.ts'
export { openBilling } from './open-billing.ts'
export type { BillingComponent } from './port.ts'
export { readPrices, readProviders } from './providers.ts'
export { billingInProcess } from './receive-webhook.ts'
export { type ReplayDeps, replayEvents } from './replay-events.ts'
export { sampleUsage } from './sample-usage.ts'
export { endPlans } from './settle-plans.ts'
