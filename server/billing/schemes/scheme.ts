import type { Plan } from '../../base/caller.ts'
import { PLANS } from '../../base/caller.ts'
import { badRequest } from '../../base/errors.ts'
import type { OrganizationId } from '../../base/ids.ts'
import { idPattern, isId } from '../../base/ids.ts'
import { millisecondsOf } from '../../base/rfc3339.ts'
import { type Meaning, STATUSES, type Status, type SubscriptionChange } from '../events.ts'
import type { SignatureHeaders } from '../port.ts'

export type JsonObject = Record<string, unknown>

/** Plans by the provider's own names for its prices. */
export type Prices = ReadonlyMap<string, Plan>

/** A way of signing webhooks, and the words that those who sign so use. */
export interface Scheme {
  /** Comes before the secret is used; throws where it cannot be one. */
  learnSecret(secret: string): Promise<void>
  /** Throws 400 unless one of the secrets signed this text less than five minutes ago. Answers when, in seconds. */
  verify(text: string, headers: SignatureHeaders, secrets: readonly string[]): Promise<number>
  /** Throws 400 where it has none. */
  idOf(event: JsonObject, headers: SignatureHeaders): string
  /** When it happened, as far as it says so. */
  timeOf(event: JsonObject): string | undefined
  meaningOf(event: JsonObject, prices: Prices): Meaning
}

export const TOLERANCE_SECONDS = 300

export const badSignature = () =>
  badRequest('the signature is missing, wrong, or not of the last five minutes')

// Braces are left out so that no part of a body can be taken for a part of the id beside which it is signed.
const EVENT_ID = /^[!-z|~]{1,255}$/

export function eventId(given: unknown, where: string): string {
  if (typeof given === 'string' && EVENT_ID.test(given)) return given
  throw badRequest(`${where}: must be an id of 1 to 255 characters`)
}

/** An event that is about no subscription, or says nothing that is understood here. */
export const leftAlone = (type: string): Meaning => ({ type, subscription: null, change: null })

export function about(type: string, subscription: unknown, change: SubscriptionChange): Meaning {
  if (typeof subscription !== 'string' || !/^[^\x00]{1,255}$/.test(subscription)) return leftAlone(type)
  return { type, subscription: subscription.toWellFormed(), change }
}

export function typeOf({ type }: JsonObject): string {
  return typeof type === 'string' && /^[^\x00]{1,255}$/.test(type) ? type.toWellFormed() : ''
}

export function objectAt(value: unknown, ...path: string[]): JsonObject {
  for (const key of path) value = (value as JsonObject | null | undefined)?.[key]
  return value !== null && typeof value === 'object' ? (value as JsonObject) : {}
}

const ORGANIZATION = new RegExp(idPattern('organization'))

export function organizationIn(value: unknown): OrganizationId | undefined {
  return typeof value === 'string' && isId('organization', value) && ORGANIZATION.test(value)
    ? value
    : undefined
}

export function planIn(value: unknown, prices: Prices): Plan | undefined {
  return PLANS.find((plan) => plan === value) ?? prices.get(String(value))
}

export function statusIn(value: unknown): Status | undefined {
  return STATUSES.find((status) => status === value)
}

const PLAIN_LENGTH = '2000-01-01T00:00:00.000Z'.length
// As most write it: in UTC, on a day that every month has.
const PLAIN_TIME =
  /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/

/** RFC 3339 with any offset, in UTC with milliseconds. */
export function timeIn(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  // To read it and write it out again would give the same, and cost a twentieth of all that a webhook does.
  if (PLAIN_TIME.test(value)) return value.length === PLAIN_LENGTH ? value : `${value.slice(0, -1)}.000Z`
  return isoOf(millisecondsOf(value))
}

export function timeOfSeconds(value: unknown): string | undefined {
  return typeof value === 'number' ? isoOf(value * 1000) : undefined
}

const END_OF_TIME = Date.UTC(9999, 11, 31)

function isoOf(milliseconds: number): string | undefined {
  return milliseconds >= 0 && milliseconds < END_OF_TIME ? new Date(milliseconds).toISOString() : undefined
}
