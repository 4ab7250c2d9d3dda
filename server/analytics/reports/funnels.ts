import type { Caller } from '../../base/caller.ts'
import { badRequest } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { HOUR } from '../../platform/events/calendar.ts'
import { fieldsOf, isFieldOf, KIND_NAMES, type Kind } from '../../platform/events/fields.ts'
import type { FunnelCounts, FunnelStep } from '../../platform/events/port.ts'
import { allowReport, type ReportDeps } from './allow-report.ts'
import type { ReportQuery } from './query-schemas.ts'
import { fraction } from './rates.ts'
import type { FunnelRequest, FunnelResult } from './schemas.ts'
import { timeRange } from './time-range.ts'

const MAX_SHOWN = 100

type AskedStep = FunnelRequest['steps'][number]

export async function showFunnel(
  caller: Caller,
  query: ReportQuery,
  { range: asked, steps, time_window: hours = 0 }: FunnelRequest,
  deps: ReportDeps,
): Promise<FunnelResult> {
  const scope = await allowReport(caller, query, deps)
  const range = timeRange(deps.clock(), asked, query)
  const length = hours * HOUR
  // A window that the range fits into keeps nothing out.
  const window = length > 0 && length < range.to - range.from ? length : undefined
  const asking = { steps: steps.map(toStep), window }
  const counts = await deps.events.reports.funnel(scope, range, asking, deps.signal)
  return toResult(counts, steps)
}

function toStep({ event_type, page_type, filters = {} }: AskedStep, i: number): FunnelStep {
  const place = `body.steps[${i}]`
  const kind = KIND_NAMES.find((name) => name === event_type)
  if (!kind) throw badRequest(`${place}.event_type: must be one of ${KIND_NAMES.join(', ')}`)
  for (const name of Object.keys(filters))
    requireField(kind, name, `${place}.filters.${name.slice(0, MAX_SHOWN)}`)
  const fields = Object.fromEntries(
    // As events are kept: what is half a character in them is U+FFFD.
    Object.entries(filters).map(([name, value]) => [name, value.toWellFormed()]),
  )
  if (!page_type) return { kind, fields }
  if (!isFieldOf(kind, 'page')) throw badRequest(`${place}.page_type: ${kind} has no such field`)
  if (fields.page !== undefined && fields.page !== page_type.toWellFormed())
    throw badRequest(`${place}.page_type: is not what filters.page is`)
  return { kind, fields: { ...fields, page: page_type.toWellFormed() } }
}

function requireField(kind: Kind, name: string, place: string): void {
  if (isFieldOf(kind, name)) return
  const meant = nearest(name.slice(0, MAX_SHOWN), fieldsOf(kind))
  throw badRequest(`${place}: ${kind} has no such field; did you mean "${meant}"?`)
}

/** A funnel that nobody began has zeros; in any other, what does not go on drops off. */
function toResult({ reached, took, gaps }: FunnelCounts, steps: AskedStep[]): FunnelResult {
  const total = reached[0]!
  const completed = reached.at(-1)!
  return {
    total_users: total,
    completed_users: completed,
    completion_rate: fraction(completed, total),
    average_time_hours: meanHours(took, completed),
    steps: steps.map(({ name }, i) => {
      const conversion = fraction(reached[i]!, reached[Math.max(i - 1, 0)]!)
      return {
        step_name: name,
        user_count: reached[i]!,
        conversion_rate: conversion,
        dropoff_rate: total === 0 ? 0 : 1 - conversion,
        average_time_hours: meanHours(gaps[i]!, reached[i]!),
      }
    }),
  }
}

const meanHours = (all: bigint, viewers: number): number => (viewers === 0 ? 0 : Number(all) / viewers / HOUR)
