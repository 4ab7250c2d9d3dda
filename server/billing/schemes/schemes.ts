import type { Scheme } from './scheme.ts'
import { standardWebhooks } from './standard-webhooks.ts'
import { stripe } from './stripe.ts'

const SCHEMES: Record<string, Scheme> = { 'standard-webhooks': standardWebhooks, stripe }

export const SCHEME_NAMES = Object.keys(SCHEMES)

export function schemeOf(name: string): Scheme | undefined {
  return Object.hasOwn(SCHEMES, name) ? SCHEMES[name] : undefined
}
