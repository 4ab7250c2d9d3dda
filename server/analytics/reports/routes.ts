import type { FastifyReply } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { operation, type Parts } from '../../http/operation.ts'
import { ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import { untilGone } from '../../http/until-gone.ts'
import type { ReportDeps } from './allow-report.ts'
import { chartActivity } from './chart-activity.ts'
import { countFunnel } from './count-funnel.ts'
import { countViews, rankByViews } from './count-views.ts'
import { followCohorts } from './follow-cohorts.ts'
import { findHotSegments, mapHeat } from './map-heat.ts'
import {
  Dashboard,
  DashboardQuery,
  FeedStats,
  FunnelRequest,
  FunnelResult,
  Heatmap,
  HeatmapQuery,
  HotSegments,
  OneFeed,
  OnePost,
  OneVideo,
  PostStats,
  Realtime,
  ReportQuery,
  Retention,
  RetentionRequest,
  TopPostsQuery,
  TopQuery,
  VideoStats,
} from './schemas.ts'
import { watchNow } from './watch-now.ts'

const NAMED = [
  VideoStats,
  PostStats,
  FeedStats,
  FunnelResult,
  Heatmap,
  HotSegments,
  Dashboard,
  Realtime,
  Retention,
]

export function reportRoutes(deps: ReportDeps): (app: App) => void {
  return (app) => {
    for (const schema of NAMED) app.addSchema(schema)
    topRoutes(app, deps)
    statsRoutes(app, deps)
    videoRoutes(app, deps)

    app.post(
      '/analytics/v1/funnels',
      report({
        summary: 'Count how many viewers get through a series of steps',
        description:
          'What `range` in the body leaves out comes from `start` and `end` in the query, and then from the default.',
        request: { querystring: ReportQuery, body: FunnelRequest },
        answers: { 200: ref(FunnelResult) },
      }),
      (request, reply) => countFunnel(request.caller, request.query, request.body, until(reply, deps)),
    )

    app.get(
      '/analytics/v1/dashboard',
      report({
        summary: 'Views and viewers over time',
        description: '`time_start` and `time_end` can be called `start` and `end`, as everywhere else.',
        request: { querystring: DashboardQuery },
        answers: { 200: ref(Dashboard) },
      }),
      (request, reply) => chartActivity(request.caller, request.query, until(reply, deps)),
    )

    app.get(
      '/analytics/v1/realtime',
      report({
        summary: 'What happened in the last five minutes, or in what of them lies between `start` and `end`',
        request: { querystring: ReportQuery },
        answers: { 200: ref(Realtime) },
      }),
      (request, reply) => watchNow(request.caller, request.query, until(reply, deps)),
    )

    app.post(
      '/analytics/v1/retention',
      {
        ...report({
          summary: 'Of those who came in a period, the part that was seen again in each one after',
          optionalBody: true,
          request: { querystring: ReportQuery, body: RetentionRequest },
          answers: { 200: ref(Retention) },
        }),
        // All of the body is optional, so the body is too.
        preValidation: async (request) => {
          request.body ??= {}
        },
      },
      (request, reply) => followCohorts(request.caller, request.query, request.body, until(reply, deps)),
    )
  }
}

const NAMES =
  'A name that is not known, in the query or anywhere in the body, is a 400 that says the nearest.'

/** A report is ended when whoever asked for it has gone. */
function until(reply: FastifyReply, deps: ReportDeps): ReportDeps {
  return { ...deps, signal: untilGone(reply) }
}

function report<P extends Parts, A extends Record<number, TSchema>>(about: {
  summary: string
  description?: string
  optionalBody?: boolean
  request: P
  answers: A
}) {
  return operation({
    tag: 'Analytics',
    ...about,
    description: [about.description, NAMES].filter(Boolean).join(' '),
  })
}

function topRoutes(app: App, deps: ReportDeps): void {
  app.get(
    '/analytics/v1/top/videos',
    report({
      summary: 'The videos with the most views',
      request: { querystring: TopQuery },
      answers: { 200: Type.Object({ videos: Type.Array(ref(VideoStats)) }) },
    }),
    async (request, reply) => {
      const ranked = await rankByViews(request.caller, request.query, { by: 'video' }, until(reply, deps))
      return { videos: ranked.map(({ id: video_id, ...counts }) => ({ video_id, ...counts })) }
    },
  )

  app.get(
    '/analytics/v1/top/posts',
    report({
      summary: 'The posts with the most views, of all feeds or of one',
      request: { querystring: TopPostsQuery },
      answers: { 200: Type.Object({ posts: Type.Array(ref(PostStats)) }) },
    }),
    async (request, reply) => {
      const { feed_id: feed, ...query } = request.query
      const ranked = await rankByViews(request.caller, query, { by: 'post', feed }, until(reply, deps))
      return { posts: ranked.map(({ id: post_id, ...counts }) => ({ post_id, ...counts })) }
    },
  )

  app.get(
    '/analytics/v1/top/feeds',
    report({
      summary: 'The feeds with the most views',
      request: { querystring: TopQuery },
      answers: { 200: Type.Object({ feeds: Type.Array(ref(FeedStats)) }) },
    }),
    async (request, reply) => {
      const ranked = await rankByViews(request.caller, request.query, { by: 'feed' }, until(reply, deps))
      return { feeds: ranked.map(({ id: feed_id, ...counts }) => ({ feed_id, ...counts })) }
    },
  )
}

function statsRoutes(app: App, deps: ReportDeps): void {
  app.get(
    '/analytics/v1/videos/:video_id/stats',
    report({
      summary: 'The figures of a video; zeros where nothing is known of it',
      request: { params: OneVideo, querystring: ReportQuery },
      answers: { 200: ref(VideoStats) },
    }),
    async ({ caller, params: { video_id }, query }, reply) => ({
      video_id,
      ...(await countViews(caller, query, { by: 'video', id: video_id }, until(reply, deps))),
    }),
  )

  app.get(
    '/analytics/v1/posts/:post_id/stats',
    report({
      summary: 'The figures of a post; zeros where nothing is known of it',
      request: { params: OnePost, querystring: ReportQuery },
      answers: { 200: ref(PostStats) },
    }),
    async ({ caller, params: { post_id }, query }, reply) => ({
      post_id,
      ...(await countViews(caller, query, { by: 'post', id: post_id }, until(reply, deps))),
    }),
  )

  app.get(
    '/analytics/v1/feeds/:feed_id/stats',
    report({
      summary: 'The figures of a feed; zeros where nothing is known of it',
      request: { params: OneFeed, querystring: ReportQuery },
      answers: { 200: ref(FeedStats) },
    }),
    async ({ caller, params: { feed_id }, query }, reply) => ({
      feed_id,
      ...(await countViews(caller, query, { by: 'feed', id: feed_id }, until(reply, deps))),
    }),
  )
}

function videoRoutes(app: App, deps: ReportDeps): void {
  app.get(
    '/analytics/v1/videos/:video_id/heatmap',
    report({
      summary: 'How often each part of a video was watched',
      request: { params: OneVideo, querystring: HeatmapQuery },
      answers: { 200: ref(Heatmap) },
    }),
    (request, reply) => mapHeat(request.caller, request.query, request.params.video_id, until(reply, deps)),
  )

  app.get(
    '/analytics/v1/videos/:video_id/hot-segments',
    report({
      summary: 'The parts of a video that are watched at least one and a half times as often as the average',
      request: { params: OneVideo, querystring: ReportQuery },
      answers: { 200: ref(HotSegments) },
    }),
    (request, reply) =>
      findHotSegments(request.caller, request.query, request.params.video_id, until(reply, deps)),
  )
}
