import type { Schemas } from '@marquee/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { clientOf } from '../../api.ts'
import { type Period, periodBefore, periodOf } from '../../range.ts'
import type { Looked } from './use-looked.ts'

/** A range moves with the time: it is worked out when something is asked, and is no part of the key. */
const keyOf = ({ range, from, to }: Looked) => [range, from, to]

export interface Overview {
  period: Period
  now: Schemas['Overview']
  before: Schemas['Overview'] | undefined
}

export const overviewQuery = (projectId: string, looked: Looked) =>
  queryOptions({
    queryKey: ['analytics', projectId, 'overview', looked],
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Overview> => {
      const period = periodOf(looked)
      const ask = (range: { start: string; end: string }) =>
        clientOf(projectId).get('/analytics/v1/overview', {
          query: {
            project_id: projectId,
            interval: period.interval,
            start: range.start,
            end: range.end,
            ...(looked.video && { video_id: looked.video }),
            ...(looked.feed && { feed_id: looked.feed }),
            ...(looked.country && { country: looked.country }),
          },
          signal,
        })
      const [now, before] = await Promise.all([
        ask(period),
        looked.isCompared ? ask(periodBefore(period)) : undefined,
      ])
      return { period, now, before }
    },
  })

export type TopKind = 'videos' | 'posts' | 'feeds'

export interface TopItem {
  id: string
  views: number
  viewers: number
  completion: number
  watched: number
}

export const topQuery = (projectId: string, looked: Looked, kind: TopKind, limit = 8) =>
  queryOptions({
    queryKey: ['analytics', projectId, 'top', kind, limit, keyOf(looked), kind === 'posts' && looked.feed],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<TopItem[]> => {
      const { start, end } = periodOf(looked)
      const query = { project_id: projectId, start, end, limit: String(limit) }
      const client = clientOf(projectId)
      if (kind === 'videos') {
        const { videos } = await client.get('/analytics/v1/top/videos', { query, signal })
        return videos.map((stats) => itemOf(stats.video_id, stats))
      }
      if (kind === 'feeds') {
        const { feeds } = await client.get('/analytics/v1/top/feeds', { query, signal })
        return feeds.map((stats) => itemOf(stats.feed_id, stats))
      }
      const ofFeed = { ...query, ...(looked.feed && { feed_id: looked.feed }) }
      const { posts } = await client.get('/analytics/v1/top/posts', { query: ofFeed, signal })
      return posts.map((stats) => itemOf(stats.post_id, stats))
    },
  })

function itemOf(id: string, stats: Omit<Schemas['VideoStats'], 'video_id'>): TopItem {
  return {
    id,
    views: stats.total_views,
    viewers: stats.unique_viewers,
    completion: stats.completion_rate,
    watched: stats.total_watch_time_ms,
  }
}

export type QualityBy = 'day' | 'country' | 'browser'

export const qualityQuery = (projectId: string, looked: Looked, by: QualityBy) =>
  queryOptions({
    queryKey: ['analytics', projectId, 'quality', keyOf(looked), by, looked.video],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }): Promise<Schemas['PlaybackQuality']> => {
      const { start, end } = periodOf(looked)
      const query = { project_id: projectId, start, end, by }
      const client = clientOf(projectId)
      if (!looked.video) return client.get('/analytics/v1/quality', { query, signal })
      const path = { video_id: looked.video }
      return client.get('/analytics/v1/videos/{video_id}/quality', { path, query, signal })
    },
  })

export const cohortsQuery = (projectId: string, looked: Looked) =>
  queryOptions({
    queryKey: ['analytics', projectId, 'cohorts', keyOf(looked)],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const { start, end, days } = periodOf(looked)
      const period = days <= 14 ? ('day' as const) : days <= 120 ? ('week' as const) : ('month' as const)
      return clientOf(projectId).post('/analytics/v1/retention', {
        query: { project_id: projectId },
        body: { period, range: { start, end } },
        isRepeatable: true,
        signal,
      })
    },
  })

export const realtimeQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['analytics', projectId, 'realtime'],
    // Not while the page is in the background: nobody sees it.
    refetchInterval: 4000,
    queryFn: ({ signal }) =>
      clientOf(projectId).get('/analytics/v1/realtime', { query: { project_id: projectId }, signal }),
  })

interface ValuesAsked {
  kind?: string
  field?: string
  typed?: string
}

/** What the events of the range have, to choose from. */
export const valuesQuery = (projectId: string, looked: Looked, { kind, field, typed }: ValuesAsked) =>
  queryOptions({
    queryKey: ['analytics', projectId, 'values', keyOf(looked), kind, field, typed],
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const { start, end } = periodOf(looked)
      const asked = { ...(kind && { event_type: kind }), ...(field && { field }), ...(typed && { q: typed }) }
      const query = { project_id: projectId, start, end, limit: 50, ...asked } as const
      return clientOf(projectId).get('/analytics/v1/values', { query: query as never, signal })
    },
  })

/** Whether the project has ever had an event. */
export const anyEventQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['analytics', projectId, 'any'],
    queryFn: async ({ signal }): Promise<boolean> => {
      const query = { project_id: projectId, start: '1970-01-01', limit: 1 }
      const { event_types } = await clientOf(projectId).get('/analytics/v1/values', { query, signal })
      return event_types.length > 0
    },
    // What was once there stays there.
    staleTime: ({ state }) => (state.data ? Infinity : 0),
    // The first event is waited for, and so is an answer where the service gave none.
    refetchInterval: ({ state }) => (state.data ? false : 4000),
  })

export type FunnelStep = Schemas['FunnelStep']
export type Funnel = Schemas['FunnelResult']

export const funnelQuery = (projectId: string, looked: Looked, steps: FunnelStep[], window: number) =>
  queryOptions({
    queryKey: ['analytics', projectId, 'funnel', keyOf(looked), steps, window],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const { start, end } = periodOf(looked)
      return clientOf(projectId).post('/analytics/v1/funnels', {
        query: { project_id: projectId },
        body: { steps, range: { start, end }, time_window: window },
        isRepeatable: true,
        signal,
      })
    },
  })
