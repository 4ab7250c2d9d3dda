import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Grant, Plan } from '../base/caller.ts'
import { tooManyRequests } from '../base/errors.ts'
import type { Bucket, BucketState, Limiter } from '../platform/limits/port.ts'
import type { LimitClass } from './operation.ts'
import type { App } from './types.ts'

/** Requests in a window; 0 stands for no limit. */
export interface Quotas {
  keyPerMinute: number
  signInPerMinute: number
  plans: Record<Plan, { perHour: number; perMinute: number }>
}

interface NamedBucket extends Bucket {
  name: string
}

const MINUTE = 60
const HOUR = 3600

/** Counts each request against its ceilings and says so in the headers of the IETF draft. */
export function limitRequests(app: App, limiter: Limiter, quotas: Quotas): void {
  app.addHook('onRequest', async (request, reply) => {
    const buckets = bucketsOf(request, quotas)
    if (buckets.length === 0) return
    const { allowed, states } = await limiter.take(buckets)
    writeHeaders(reply, buckets, states)
    if (!allowed) throw refusal(buckets, states)
  })
}

function bucketsOf(request: FastifyRequest, quotas: Quotas): NamedBucket[] {
  const limit: LimitClass = request.routeOptions.config.limit ?? 'none'
  if (limit === 'none') return []
  if (limit === 'sign-in')
    return existing([
      { name: 'sign-in', key: `sign-in:${request.ip}`, quota: quotas.signInPerMinute, seconds: MINUTE },
    ])
  const { caller } = request
  const buckets = [{ name: 'key', key: `key:${caller.id}`, quota: quotas.keyPerMinute, seconds: MINUTE }]
  const grant = payingGrant(caller, request.params)
  if (grant) {
    const plan = quotas.plans[grant.plan]
    buckets.push(
      { name: 'hour', key: `hour:${grant.orgId}`, quota: plan.perHour, seconds: HOUR },
      { name: 'minute', key: `minute:${grant.orgId}`, quota: plan.perMinute, seconds: MINUTE },
    )
  }
  return existing(buckets)
}

function existing(buckets: NamedBucket[]): NamedBucket[] {
  return buckets.filter((bucket) => bucket.quota > 0)
}

/** Whose plan a request counts on: the organization it names, where the caller belongs to it; else their first. */
function payingGrant(caller: Caller, params: unknown): Grant | undefined {
  const named = params as { org_id?: string; orgId?: string }
  const orgId = named.org_id ?? named.orgId
  return caller.grants.find((grant) => grant.orgId === orgId) ?? caller.grants[0]
}

function writeHeaders(reply: FastifyReply, buckets: NamedBucket[], states: BucketState[]): void {
  reply.header(
    'ratelimit-policy',
    buckets.map(({ name, quota, seconds }) => `"${name}";q=${quota};w=${seconds}`).join(', '),
  )
  reply.header(
    'ratelimit',
    buckets
      .map(({ name }, i) => `"${name}";r=${states[i]!.remaining};t=${states[i]!.resetSeconds}`)
      .join(', '),
  )
}

/** Names the ceiling that will stay closed longest: waiting for less would only be refused again. */
function refusal(buckets: NamedBucket[], states: BucketState[]) {
  const empty = buckets
    .map((bucket, i) => ({ bucket, state: states[i]! }))
    .filter(({ state }) => state.remaining === 0)
    .sort((a, b) => b.state.resetSeconds - a.state.resetSeconds)[0]!
  const span = empty.bucket.seconds === HOUR ? 'an hour' : 'a minute'
  return tooManyRequests(
    `${empty.bucket.quota} requests ${span} are used up; try again in ${empty.state.resetSeconds} s`,
    empty.state.resetSeconds,
  )
}
