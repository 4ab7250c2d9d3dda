import type { Caller } from '../../base/caller.ts'
import { badRequest } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { fieldsOf, KIND_NAMES } from '../../platform/events/fields.ts'
import { allowReport, type ReportDeps } from './allow-report.ts'
import type { ValuesReportQuery } from './query-schemas.ts'
import { timeRange } from './time-range.ts'
import type { FilterValues } from './values-schemas.ts'

const DEFAULT_LIMIT = 25

/** What the data offers for the steps of a funnel: kinds of events, fields, and a field's most frequent values. */
export async function showValues(
  caller: Caller,
  query: ValuesReportQuery,
  deps: ReportDeps,
): Promise<FilterValues> {
  const scope = await allowReport(caller, query, deps)
  const range = timeRange(deps.clock(), query)
  const { event_type: kind, field, q, limit = DEFAULT_LIMIT } = query
  const fields = kind ? [...new Set(fieldsOf(kind))] : ALL_FIELDS
  if (field !== undefined && !fields.includes(field))
    throw badRequest(
      `field: ${kind ? `${kind} has` : 'events have'} no such field; did you mean "${nearest(field, fields)}"?`,
    )
  // As events are kept: what is half a character in them is U+FFFD.
  const wanted = { field, kind, prefix: q?.toWellFormed(), limit }
  const { kinds, values } = await deps.events.reports.values(scope, range, wanted, deps.signal)
  return {
    event_types: kinds.map(({ kind, count }) => ({ event_type: kind, count })),
    fields,
    values,
  }
}

const ALL_FIELDS = [...new Set(KIND_NAMES.flatMap(fieldsOf))]
