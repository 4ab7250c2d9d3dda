import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Caller, Grant, Plan } from '../base/caller.ts'
import { type Refusal, tooManyRequests } from '../base/errors.ts'
import type { OrganizationId, ProjectId } from '../base/ids.ts'
import { isId } from '../base/ids.ts'
import type { Bucket, BucketState, Limiter, Taken } from '../platform/limits/port.ts'
import type { LimitClass } from './operation.ts'
import type { App } from './types.ts'

/** Requests in a window; 0 stands for no limit. */
export interface Quotas {
  keyPerMinute: number
  eventsPerMinute: number
  signInPerMinute: number
  deliveryPerMinute: number
  publicPerMinute: number
  webhooksPerMinute: number
  plans: Record<Plan, { perHour: number; perMinute: number }>
}

export interface LimitOptions {
  limiter: Limiter
  quotas: Quotas
  organizationOfProject(projectId: ProjectId): Promise<OrganizationId | undefined>
}

interface NamedBucket extends Bucket {
  name: string
}

const MINUTE = 60
const HOUR = 3600

interface Counted {
  /** What is left, in the headers of the IETF draft. */
  headers: Record<string, string>
  refused: Refusal | undefined
}

/** Ceilings for those who need not say who they are: their address stands for them. */
export type ByAddress = Exclude<LimitClass, 'api' | 'events' | 'none'>

export interface Limits {
  byAddress(limit: ByAddress, address: string): Counted | Promise<Counted>
  /** Has a request that was counted already not counted again. */
  keep(request: IncomingMessage, counted: Counted): void
}

/** Counts each request against its ceilings, and says so. */
export function limitRequests(app: App, { limiter, quotas, organizationOfProject }: LimitOptions): Limits {
  const kept = new WeakMap<IncomingMessage, Counted>()

  app.addHook('onRequest', (request, reply, done) => {
    const end = ({ headers, refused }: Counted) => {
      reply.headers(headers)
      done(refused)
    }
    const counted = kept.get(request.raw) ?? count(request)
    // Without a promise where nothing is waited for: most requests for media are counted in memory.
    if (counted instanceof Promise) counted.then(end, done)
    else end(counted)
  })

  function count(request: FastifyRequest): Counted | Promise<Counted> {
    const limit: LimitClass = request.routeOptions.config.limit ?? 'none'
    if (limit === 'none') return NOT_COUNTED
    if (limit === 'events') return take([eventsBucket(request.caller, quotas)])
    if (limit !== 'api') return byAddress(limit, request.ip)
    return payingGrant(request, quotas, organizationOfProject).then((grant) =>
      take(bucketsOf(request.caller, grant, quotas)),
    )
  }

  function byAddress(limit: ByAddress, address: string): Counted | Promise<Counted> {
    const quota = quotas[BY_ADDRESS[limit]]
    return take([{ name: limit, key: `${limit}:${address}`, quota, seconds: MINUTE }])
  }

  /** Answers at once where the limiter does. */
  function take(all: NamedBucket[]): Counted | Promise<Counted> {
    const buckets = all.filter(({ quota }) => quota > 0)
    if (buckets.length === 0) return NOT_COUNTED
    const taken = limiter.take(buckets)
    return taken instanceof Promise ? taken.then((t) => judge(buckets, t)) : judge(buckets, taken)
  }

  return { byAddress, keep: (request, counted) => kept.set(request, counted) }
}

const NOT_COUNTED: Counted = { headers: {}, refused: undefined }

const BY_ADDRESS = {
  'sign-in': 'signInPerMinute',
  delivery: 'deliveryPerMinute',
  public: 'publicPerMinute',
  webhooks: 'webhooksPerMinute',
} as const satisfies Record<ByAddress, keyof Quotas>

function judge(buckets: NamedBucket[], { allowed, states }: Taken): Counted {
  return { headers: headersOf(buckets, states), refused: allowed ? undefined : refusal(buckets, states) }
}

/** Events come by themselves while people watch: they use up nothing else that a caller has. */
function eventsBucket(caller: Caller, { eventsPerMinute: quota }: Quotas): NamedBucket {
  return { name: 'events', key: `events:${caller.id}`, quota, seconds: MINUTE }
}

function bucketsOf(caller: Caller, grant: Grant | undefined, quotas: Quotas): NamedBucket[] {
  const ofKey = { name: 'key', key: `key:${caller.id}`, quota: quotas.keyPerMinute, seconds: MINUTE }
  if (!grant) return [ofKey]
  const plan = quotas.plans[grant.plan]
  return [
    ofKey,
    { name: 'hour', key: `hour:${grant.orgId}`, quota: plan.perHour, seconds: HOUR },
    { name: 'minute', key: `minute:${grant.orgId}`, quota: plan.perMinute, seconds: MINUTE },
  ]
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
  const named = params as { [name in 'org_id' | 'orgId' | 'project_id' | 'projectId']?: string }
  const projectId = String(named.project_id ?? named.projectId ?? headers['x-project-id'])
  const orgId =
    named.org_id ??
    named.orgId ??
    (isId('project', projectId) ? await organizationOfProject(projectId) : undefined)
  const strictness = (grant: Grant) => plans[grant.plan].perMinute || Number.POSITIVE_INFINITY
  return (
    grants.find((grant) => grant.orgId === orgId) ??
    [...grants].sort((a, b) => strictness(a) - strictness(b))[0]
  )
}

function headersOf(buckets: NamedBucket[], states: BucketState[]): Record<string, string> {
  const policies = buckets.map(({ name, quota, seconds }) => `"${name}";q=${quota};w=${seconds}`)
  const left = buckets.map(
    ({ name }, i) => `"${name}";r=${states[i]!.remaining};t=${states[i]!.resetSeconds}`,
  )
  return { 'ratelimit-policy': policies.join(', '), ratelimit: left.join(', ') }
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
