import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Grant, Plan } from '../base/caller.ts'
import { type Refusal, tooManyRequests } from '../base/errors.ts'
import type { Bucket, BucketState, Limiter, Taken } from '../platform/limits/port.ts'
import type { LimitClass } from './operation.ts'
import type { App } from './types.ts'

/** Requests in a window; 0 stands for no limit. */
export interface Quotas {
  keyPerMinute: number
  signInPerMinute: number
  deliveryPerMinute: number
  publicPerMinute: number
  plans: Record<Plan, { perHour: number; perMinute: number }>
}

export interface LimitOptions {
  limiter: Limiter
  quotas: Quotas
  organizationOfProject(projectId: string): Promise<string | undefined>
}

interface NamedBucket extends Bucket {
  name: string
}

const MINUTE = 60
const HOUR = 3600

/** Counts each request against its ceilings and says so in the headers of the IETF draft. */
export function limitRequests(app: App, { limiter, quotas, organizationOfProject }: LimitOptions): void {
  app.addHook('onRequest', (request, reply, done) => {
    const counted = request.caller
      ? payingGrant(request, quotas, organizationOfProject).then((grant) => count(request, reply, grant))
      : count(request, reply, undefined)
    // Without a promise where nothing is waited for: most requests for media are counted in memory.
    if (counted instanceof Promise) counted.then((refused) => done(refused), done)
    else done(counted)
  })

  /** Answers, at once where the limiter does, what the request is refused with, if it is. */
  function count(
    request: FastifyRequest,
    reply: FastifyReply,
    grant: Grant | undefined,
  ): Refusal | undefined | Promise<Refusal | undefined> {
    const buckets = bucketsOf(request, grant, quotas)
    if (buckets.length === 0) return undefined
    const judge = ({ allowed, states }: Taken) => {
      writeHeaders(reply, buckets, states)
      return allowed ? undefined : refusal(buckets, states)
    }
    const taken = limiter.take(buckets)
    return taken instanceof Promise ? taken.then(judge) : judge(taken)
  }
}

function bucketsOf(request: FastifyRequest, grant: Grant | undefined, quotas: Quotas): NamedBucket[] {
  const limit: LimitClass = request.routeOptions.config.limit ?? 'none'
  if (limit === 'none') return []
  // Nobody has said who they are: their address stands for them.
  if (limit !== 'api') {
    const quota = {
      'sign-in': quotas.signInPerMinute,
      delivery: quotas.deliveryPerMinute,
      public: quotas.publicPerMinute,
    }[limit]
    return existing([{ name: limit, key: `${limit}:${request.ip}`, quota, seconds: MINUTE }])
  }
  const { caller } = request
  const buckets = [{ name: 'key', key: `key:${caller.id}`, quota: quotas.keyPerMinute, seconds: MINUTE }]
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

/**
 * Whose plan a request counts on: the organization that it names, or whose project it names. Where a
 * caller of several organizations names none, the strictest of their plans: the choice is not theirs.
 */
async function payingGrant(
  { caller, params, headers }: FastifyRequest,
  { plans }: Quotas,
  organizationOfProject: LimitOptions['organizationOfProject'],
): Promise<Grant | undefined> {
  const { grants } = caller
  if (grants.length <= 1) return grants[0]
  const named = params as { org_id?: string; orgId?: string; project_id?: string; projectId?: string }
  const projectId = named.project_id ?? named.projectId ?? headers['x-project-id']
  const orgId =
    named.org_id ??
    named.orgId ??
    (projectId === undefined ? undefined : await organizationOfProject(String(projectId)))
  const strictness = (grant: Grant) => plans[grant.plan].perMinute || Number.POSITIVE_INFINITY
  return (
    grants.find((grant) => grant.orgId === orgId) ??
    [...grants].sort((a, b) => strictness(a) - strictness(b))[0]
  )
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
