import fc from 'fast-check'
import { INTERVALS } from '../../../server/platform/events/calendar.ts'
import {
  ENVELOPE,
  KIND_NAMES,
  KINDS,
  type Kind,
  TEXT_FIELDS,
} from '../../../server/platform/events/fields.ts'
import type { EventLine } from '../../../server/platform/events/line.ts'
import {
  CONTENTS,
  type EventReports,
  type FunnelQuery,
  type FunnelStep,
  MAX_PARTS,
  QUALITY_GROUPS,
} from '../../../server/platform/events/port.ts'
import { EVER } from './spooled.ts'
import { content, momentOf, project, type Setting, text } from './worlds.ts'

/** One question to an engine or to the oracle. */
export interface Question {
  report: keyof EventReports
  arguments: unknown[]
}

export function ask(reports: EventReports, { report, arguments: given }: Question): Promise<unknown> {
  return (reports[report] as (...given: unknown[]) => Promise<unknown>)(...given)
}

/** As far as dates reach that a caller can write. */
const FROM_1_TO_9999 = { from: Date.parse('0001-01-01') * 1000, to: Date.parse('9999-12-31') * 1000 }

const HOUR = 3600 * 1_000_000
const windows = fc.constantFrom(undefined, undefined, 0, 1, 1_000_000, HOUR, 25 * HOUR, 60 * 24 * HOUR)

const someOf = <T>(values: T[], most: number) =>
  fc.subarray(values, { maxLength: Math.min(most, values.length) })

/** Steps that mostly ask for what events of these lines have: others would match next to nothing. */
function stepOf(lines: EventLine[]): fc.Arbitrary<FunnelStep> {
  const seen = lines.flatMap((line) => line.events.map((event) => ({ line, event })))
  const anyKind: fc.Arbitrary<Kind> = fc.constantFrom(...KIND_NAMES)
  const madeUp = anyKind.chain((kind) =>
    fc
      .dictionary(fc.constantFrom(...ENVELOPE, 'project_id', ...Object.keys(KINDS[kind])), text, {
        maxKeys: 2,
      })
      .map((fields): FunnelStep => ({ kind, fields: { ...fields } })),
  )
  if (seen.length === 0) return madeUp
  const fromAnEvent = fc.constantFrom(...seen).chain(({ line, event }) => {
    const [enveloped, own] = [Object.entries(line.envelope), Object.entries(event.fields)]
    const usual = own.filter(([name]) => ['page', 'view_type', 'content_id'].includes(name))
    return fc
      .oneof(
        { weight: 4, arbitrary: fc.constant([]) },
        { weight: 3, arbitrary: someOf([...usual, ['project_id', line.project]], 2) },
        { weight: 1, arbitrary: someOf(own, 3) },
        // What the envelope says is not enough where the event has a field of its own with that name.
        { weight: 1, arbitrary: someOf(enveloped, 2) },
      )
      .map((fields): FunnelStep => ({ kind: event.kind, fields: Object.fromEntries(fields) }))
  })
  return fc.oneof({ weight: 12, arbitrary: fromAnEvent }, { weight: 1, arbitrary: madeUp })
}

function funnelOf(lines: EventLine[]): fc.Arbitrary<FunnelQuery> {
  const steps = fc.array(stepOf(lines), { minLength: 1, maxLength: 4 }).chain((kinds) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(kinds) },
      // The same few again and again, up to twenty.
      {
        weight: 1,
        arbitrary: fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 20, size: 'max' }),
      },
    ),
  )
  return fc
    .record({ steps, window: windows })
    .map(({ steps, window }) => (window === undefined ? { steps } : { steps, window }))
}

/** Records without what is undefined in them. */
function defined<T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> {
  return fc
    .record(model)
    .map((query) =>
      Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)),
    ) as fc.Arbitrary<Partial<T>>
}

export function questionsAbout(
  organization: string,
  setting: Setting,
  lines: EventLine[],
): fc.Arbitrary<Question[]> {
  const moment = momentOf(setting)
  const scope = fc.oneof(
    fc.constant({ organization }),
    project.map((project) => ({ organization, project })),
  )
  const range = fc.oneof(
    { weight: 1, arbitrary: fc.constant(EVER) },
    { weight: 1, arbitrary: fc.constant(FROM_1_TO_9999) },
    {
      weight: 1,
      arbitrary: fc.tuple(moment, moment).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) })),
    },
  )
  const untilSoonAfter = fc
    .tuple(moment, fc.constantFrom(0, 1, 60_000_000, 60_000_001))
    .map(([moment, after]) => ({ from: moment - 24 * HOUR, to: moment + after }))
  const interval = fc.constantFrom(...INTERVALS)
  const ofReport = <T>(report: keyof EventReports, query: fc.Arbitrary<T>) =>
    fc
      .tuple(scope, range, query)
      .map(([scope, range, query]): Question => ({ report, arguments: [scope, range, query] }))
  const limit = fc.constantFrom(1, 2, 100)
  const contents = fc
    .record({
      by: fc.constantFrom(...CONTENTS),
      id: fc.option(content, { nil: undefined }),
      feed: fc.option(content, { nil: undefined, freq: 2 }),
      limit,
    })
    .map(({ id, feed, ...query }) => ({
      ...query,
      ...(id !== undefined && { id }),
      ...(feed !== undefined && { feed }),
    }))
  const heat = fc.record({
    video: content,
    parts: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(MAX_PARTS), fc.constant('seconds' as const)),
  })
  const quality = fc
    .record({
      video: fc.option(content, { nil: undefined, freq: 1 }),
      by: fc.option(fc.constantFrom(...QUALITY_GROUPS), { nil: undefined, freq: 1 }),
    })
    .map(({ video, by }) => ({ ...(video !== undefined && { video }), ...(by !== undefined && { by }) }))
  const overview = defined({
    interval: fc.option(interval, { nil: undefined, freq: 3 }),
    video: fc.option(content, { nil: undefined, freq: 2 }),
    feed: fc.option(content, { nil: undefined, freq: 1 }),
    country: fc.option(fc.constantFrom('NO', '', 'C'), { nil: undefined, freq: 1 }),
  })
  const values = defined({
    field: fc.oneof(
      fc.constantFrom('page', 'view_type', 'content_id', 'country', 'project_id'),
      fc.constantFrom(...TEXT_FIELDS),
      fc.constant(undefined),
    ),
    kind: fc.option(fc.constantFrom('content_view' as const, ...KIND_NAMES), { nil: undefined }),
    prefix: fc.option(fc.constantFrom('', 'n', 'NU', 'É', 'é', "it'", '\\', '%', '漢', 'ma', 'ANN'), {
      nil: undefined,
    }),
    limit: fc.constantFrom(1, 3, 100),
  })
  return fc
    .tuple(
      ofReport('overview', overview),
      ofReport('overview', overview),
      ofReport('values', values),
      ofReport('values', values),
      ofReport('values', values),
      ofReport('funnel', funnelOf(lines)),
      ofReport('funnel', funnelOf(lines)),
      ofReport('funnel', funnelOf(lines)),
      ofReport('contents', contents),
      ofReport('contents', contents),
      ofReport('heat', heat),
      ofReport('heat', heat),
      ofReport('quality', quality),
      ofReport('quality', quality),
      ofReport('activity', interval),
      ofReport('retention', interval),
      ofReport('realtime', fc.constant(undefined)),
      fc.tuple(scope, untilSoonAfter).map(
        ([scope, range]): Question => ({
          report: 'realtime',
          arguments: [scope, range],
        }),
      ),
    )
    .map((questions) => [...questions])
}
