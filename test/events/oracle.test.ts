import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventLine, StoredEvent } from '../../server/platform/events/line.ts'
import type { EventValues, OverviewCounts } from '../../server/platform/events/overview-port.ts'
import type {
  Activity,
  ContentCounts,
  FunnelCounts,
  Heat,
  QualityCounts,
  RealtimeCounts,
  Returned,
} from '../../server/platform/events/port.ts'
import { published } from './engine-contract/published.ts'
import { ask, questionsAbout } from './engine-contract/questions.ts'
import { EVER, lineOf } from './engine-contract/spooled.ts'
import { type World, worldOf } from './engine-contract/worlds.ts'
import { oracle } from './oracle.ts'

const scope = { organization: 'org' }
const REPORTS = [
  'activity',
  'contents',
  'funnel',
  'heat',
  'overview',
  'quality',
  'realtime',
  'retention',
  'values',
]
const at = (date: string) => Date.parse(date) * 1000

const view = (time: number, part: Partial<StoredEvent> = {}): StoredEvent => ({
  kind: 'content_view',
  time,
  video: 'film',
  ...part,
  fields: { view_type: 'start', content_id: 'film', ...part.fields },
})
const lines = (viewer: string | undefined, ...events: StoredEvent[]): EventLine =>
  lineOf('org', viewer === undefined ? { events } : { viewer, events })

test('views are starts, and viewers without a start', async () => {
  const watch = { view_type: 'watch' }
  const reports = oracle([
    lines('ann', view(1), view(2), view(3, { fields: watch, watched: 70 })),
    lines('bob', view(4, { fields: watch, watched: 5 }), view(5, { fields: { view_type: 'end' } })),
    lines(undefined, view(6), view(7, { fields: watch })),
  ])
  expect(await reports.contents(scope, EVER, { by: 'video', limit: 10 })).toEqual([
    { id: 'film', views: 4, viewers: 2, starts: 3, watches: 3, ends: 1, watched: 75n },
  ])
})

test('contents are ordered by views, then time watched, then id', async () => {
  const of = (post_id: string, watched: number) => view(1, { watched, fields: { post_id } })
  const reports = oracle([
    lines('ann', of('d', 1), of('c', 2), of('b', 1), of('a', 0), of('a', 0)),
    lines('bob', { kind: 'engagement', time: 1, fields: { resource_id: 'd' } }),
  ])
  const posts = await reports.contents(scope, EVER, { by: 'post', limit: 3 })
  expect(posts.map(({ id }) => id)).toEqual(['a', 'c', 'b'])
})

test('a part of a film is passed by each segment that has some of it', async () => {
  const seconds = (...pairs: [number, number][]) => ({
    segment_starts: pairs.map(([start]) => start * 1_000_000),
    segment_ends: pairs.map(([, end]) => end * 1_000_000),
  })
  const reports = oracle([
    lines('ann', view(1, { duration: 10_000_000, ...seconds([0, 5], [4, 5]) })),
    lines('bob', view(2, { duration: 10_000_000, ...seconds([4.9, 20], [3, 3], [9, 1], [11, 12]) })),
    lines(undefined, view(3, { duration: 99_000_000, ...seconds([0, 10]) })),
  ])
  expect(await reports.heat(scope, EVER, { video: 'film', parts: 4 })).toEqual({
    viewers: 2,
    duration: 10_000_000,
    // Parts of 2.5 s: the first two have ann's first; the second also her second and bob's; then only his.
    passes: [1, 3, 1, 1],
  })
  const { passes } = await reports.heat(scope, EVER, { video: 'film', parts: 'seconds' })
  expect(passes).toEqual([1, 1, 1, 1, 3, 1, 1, 1, 1, 1])
})

test('of several durations, what most say, then the longest; else the end of the last segment', async () => {
  const durationOf = async (...events: Partial<StoredEvent>[]) =>
    (
      await oracle([lines('ann', ...events.map((event) => view(1, event)))]).heat(scope, EVER, {
        video: 'film',
        parts: 1,
      })
    ).duration
  expect(await durationOf({ duration: 5 }, { duration: 9 }, { duration: 5 })).toBe(5)
  expect(await durationOf({ duration: 5 }, { duration: 9 }, {})).toBe(9)
  expect(await durationOf({ segment_starts: [7, 0], segment_ends: [8, 3] })).toBe(8)
  expect(await durationOf({})).toBe(0)
})

test('an overview counts each content by itself, and a viewer once', async () => {
  const watch = { view_type: 'watch' }
  const hour = 3600 * 1_000_000
  const reports = oracle([
    lines(
      'ann',
      view(1),
      view(hour, { fields: watch, watched: 70 }),
      view(2, { fields: { content_id: 'b' } }),
    ),
    lines(
      'bob',
      view(3, { fields: { ...watch, country: 'NO' }, watched: 5 }),
      view(4, { fields: { view_type: 'end' } }),
    ),
    lines(undefined, view(6, { fields: watch, watched: 1 }), { kind: 'error', time: 7, fields: {} }),
  ])
  expect(await reports.overview(scope, EVER, {})).toEqual([
    { bucket: 0, views: 3, viewers: 2, ends: 1, watched: 76n },
  ])
  expect(await reports.overview(scope, EVER, { interval: 'hour' })).toEqual([
    { bucket: 0, views: 3, viewers: 2, ends: 1, watched: 6n },
    { bucket: 1, views: 1, viewers: 1, ends: 0, watched: 70n },
  ])
  expect(await reports.overview(scope, EVER, { country: 'NO' })).toEqual([
    { bucket: 0, views: 1, viewers: 1, ends: 0, watched: 5n },
  ])
})

test('values are what events have, the envelope included, whatever the case they are asked in', async () => {
  const of = (country?: string): StoredEvent => ({
    kind: 'error',
    time: 1,
    fields: country === undefined ? {} : { country },
  })
  const reports = oracle([
    lineOf('org', { envelope: { country: 'no' }, events: [of(), of('NO'), of('')] }),
    lineOf('org', { events: [of(), of('NO'), view(1, { fields: { country: 'Nö' } })] }),
  ])
  expect(await reports.values(scope, EVER, { field: 'country', prefix: 'n', limit: 3 })).toEqual({
    kinds: [
      { kind: 'error', count: 5 },
      { kind: 'content_view', count: 1 },
    ],
    values: [
      { value: 'NO', count: 2 },
      { value: 'Nö', count: 1 },
      { value: 'no', count: 1 },
    ],
  })
  expect(
    (await reports.values(scope, EVER, { field: 'country', kind: 'error', limit: 9 })).values,
  ).toHaveLength(3)
})

test('weeks begin on Monday, also across the end of a year, and months have their days', async () => {
  const sunday = at('2023-12-31T23:59:59.999Z') + 999
  const monday = at('2024-01-01')
  const reports = oracle([lines('ann', view(sunday), view(monday), view(at('2024-02-29')), view(monday))])
  // 2024-01-01 is 2818 weeks after Monday, 1969-12-29.
  expect(await reports.activity(scope, EVER, 'week')).toEqual([
    { bucket: 2817, views: 1, viewers: 1 },
    { bucket: 2818, views: 2, viewers: 1 },
    { bucket: 2826, views: 1, viewers: 1 },
  ])
  const months = await reports.activity(scope, EVER, 'month')
  expect(months.map(({ bucket }) => bucket)).toEqual([54 * 12 - 1, 54 * 12, 54 * 12 + 1])
  expect(await reports.retention(scope, EVER, 'month')).toEqual([
    { first: 647, bucket: 647, viewers: 1 },
    { first: 647, bucket: 648, viewers: 1 },
    { first: 647, bucket: 649, viewers: 1 },
  ])
})

test('worlds and questions made up for engines find something', async () => {
  const made = worldOf(['A', 'A', 'A', 'B']).chain((world: World) =>
    fc.record({ world: fc.constant(world), questions: questionsAbout('A', world.setting, world.lines) }),
  )
  const found: Record<string, number> = {}
  for (const { world, questions } of fc.sample(made, { numRuns: 300, seed: 6 }))
    for (const question of questions) {
      const answer = (await ask(oracle(world.lines), question)) as never
      const something: boolean = {
        funnel: () => (answer as FunnelCounts).took > 0n,
        contents: () => ((answer as ContentCounts[])[0]?.views ?? 0) > 1,
        heat: () => (answer as Heat).passes.some((count) => count > 1),
        quality: () =>
          (answer as QualityCounts[]).some(
            ({ plays, startP95, stalled, watched }) => plays > 1 && startP95 + stalled + watched > 0,
          ),
        activity: () => (answer as Activity[]).length > 1,
        retention: () => (answer as Returned[]).some(({ viewers }) => viewers > 1),
        overview: () => (answer as OverviewCounts[]).some(({ views, watched }) => views > 1 && watched > 0n),
        values: () => (answer as EventValues).values.some(({ count }) => count > 1),
        realtime: () => (answer as RealtimeCounts).lastMinute > 0,
      }[question.report]()
      found[question.report] = (found[question.report] ?? 0) + Number(something)
    }
  expect(Object.keys(found).sort()).toEqual(REPORTS)
  for (const report of REPORTS) expect(found[report], report).toBeGreaterThan(30)
})

published((lines, query) => oracle(lines).funnel(scope, EVER, query), 'org')
