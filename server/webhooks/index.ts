// Webhooks to apps: who is told what, and how each telling went: what other rooms may use of them.

export type { UntoldMessage } from './dispatch-store.ts'
export { openWebhooks } from './open-webhooks.ts'
export { signedHeaders } from './signature.ts'
export { tidyWebhooks } from './tidy.ts'
