import type { Schemas } from '@marquee/client'
import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../../components/badge.tsx'
import { Meter } from '../../../components/meter.tsx'
import { Section } from '../../../components/section.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { formatBytes, formatDay, formatNumber, formatShare } from '../../../format.ts'
import { words } from '../../../words.ts'
import { useOrganization } from '../use-organization.ts'
import styles from './plan.module.css'
import { UsageHistory } from './usage-history.tsx'

const text = words.settings.plan
/** Of a subscription that needs somebody to look. */
const TROUBLED = new Set<string>(['past_due', 'unpaid', 'paused', 'incomplete', 'canceled'])

/** The plan, what it allows, and how much of it is used. */
export function PlanSection() {
  const { client, orgId } = useOrganization()
  const query = { org_id: orgId }
  const subscription = useQuery({
    queryKey: ['subscription', orgId],
    queryFn: ({ signal }) => client.get('/billing/v1/subscription', { query, signal }),
  })
  const plans = useQuery({
    queryKey: ['plans'],
    queryFn: ({ signal }) => client.get('/billing/v1/plans', { signal }),
  })
  const usage = useQuery({
    queryKey: ['storage-usage', orgId],
    queryFn: ({ signal }) => client.get('/billing/v1/storage-usage', { query, signal }),
  })
  const { plan: planId, status } = subscription.data ?? {}
  const plan = plans.data?.plans.find(({ id }) => id === planId)
  const facts = [...limitsOf(plan), ...(subscription.data ? termsOf(subscription.data) : [])]

  return (
    <>
      <Section
        title={words.settings.sections.plan}
        about={text.about}
        error={subscription.error ?? plans.error}
        onRetry={() => {
          void subscription.refetch()
          void plans.refetch()
        }}
      >
        <p className={styles.plan}>
          {planId ? text.plans[planId] : <Skeleton width={120} />}
          {status && (
            <Badge kind={TROUBLED.has(status) ? 'warning' : status === 'none' ? 'plain' : 'good'}>
              {text.statuses[status]}
            </Badge>
          )}
        </p>
        <dl className={styles.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value ?? <Skeleton width="60%" />}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title={text.storage} error={usage.error} onRetry={usage.refetch}>
        {usage.data ? (
          <ul className={styles.usage}>
            {usage.data.projects.map(({ project_id, name, storage_used, storage_limit }) => (
              <li key={project_id}>
                <p className={styles.used}>
                  <span>{name}</span>
                  <span>{text.used(formatBytes(storage_used), formatBytes(storage_limit))}</span>
                </p>
                <Meter
                  label={text.storageOf(name)}
                  value={storage_used}
                  limit={storage_limit}
                  text={formatShare(storage_limit > 0 ? storage_used / storage_limit : 0)}
                />
              </li>
            ))}
          </ul>
        ) : (
          <Skeleton height={56} />
        )}
      </Section>
      <UsageHistory />
    </>
  )
}

/** A name, and what is to be said of it once it is known. */
type Fact = [name: string, value: string | undefined]

function limitsOf(plan: Schemas['BillingPlan'] | undefined): Fact[] {
  const requests = (limit: number | undefined) => (limit ? formatNumber(limit) : text.noLimit)
  return [
    [text.storage, plan && text.perProject(formatBytes(plan.storage_limit))],
    [text.perHour, plan && requests(plan.requests_per_hour)],
    [text.perMinute, plan && requests(plan.requests_per_minute)],
  ]
}

/** What there is of a subscription. */
function termsOf({ provider, period_end, grace_ends_at, ends_at }: Schemas['BillingSubscription']): Fact[] {
  const terms: Fact[] = [
    [text.provider, provider],
    [text.periodEnds, period_end && formatDay(period_end)],
    [text.graceEnds, grace_ends_at && formatDay(grace_ends_at)],
    [text.endsAt, ends_at && formatDay(ends_at)],
  ]
  return terms.filter(([, value]) => value)
}
