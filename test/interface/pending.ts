/** Operations of the interface that are not served yet. This list only ever gets shorter. */
export const PENDING = ['POST /billing/webhooks/{provider}']
