import { type Static, Type } from 'typebox'
import { exampleOf, named, ref, Timestamp } from '../../http/schemas.ts'

const OverviewTotals = named(
  'OverviewTotals',
  Type.Object({
    views: Type.Integer(),
    viewers: Type.Integer({ description: 'different viewers of these views' }),
    watch_time_ms: Type.Number(),
    completion_rate: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'completions divided by views, at most 1',
    }),
  }),
  { views: 320, viewers: 200, watch_time_ms: 6880000, completion_rate: 0.25 },
)

const OverviewPoint = named(
  'OverviewPoint',
  Type.Object({
    timestamp: Timestamp,
    views: Type.Integer(),
    viewers: Type.Integer(),
    watch_time_ms: Type.Number(),
  }),
  { timestamp: '2026-05-04T00:00:00.000Z', views: 32, viewers: 20, watch_time_ms: 688000 },
)

export const Overview = named(
  'Overview',
  Type.Object({
    totals: ref(OverviewTotals),
    previous: ref(OverviewTotals),
    points: Type.Array(ref(OverviewPoint), {
      description: 'one for each interval that the range has some of, zeros included',
    }),
  }),
  {
    totals: exampleOf(OverviewTotals),
    previous: { views: 280, viewers: 180, watch_time_ms: 5600000, completion_rate: 0.2 },
    points: [exampleOf(OverviewPoint)],
  },
)
export type Overview = Static<typeof Overview>
