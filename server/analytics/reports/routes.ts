import { ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import type { ReportDeps } from './allow-report.ts'
import { showDashboard } from './dashboard.ts'
import { showFunnel } from './funnels.ts'
import { findHotSegments, showHeatmap } from './heatmap.ts'
import { overviewRoutes } from './overview-routes.ts'
import { showQuality } from './quality.ts'
import { PlaybackQuality, VideoPlaybackQuality } from './quality-schemas.ts'
import {
  DashboardQuery,
  HeatmapQuery,
  OneFeed,
  OnePost,
  OneVideo,
  QualityReportQuery,
  ReportQuery,
  TopPostsQuery,
  TopQuery,
} from './query-schemas.ts'
import { showRealtime } from './realtime.ts'
import { report, until } from './report-routes.ts'
import { showRetention } from './retention.ts'
import {
  Dashboard,
  FeedStats,
  FunnelRequest,
  FunnelResult,
  Heatmap,
  HotSegments,
  PostStats,
  Realtime,
  Retention,
  RetentionRequest,
  TopFeeds,
  TopPosts,
  TopVideos,
  VideoStats,
} from './schemas.ts'
import { showStats, showTop } from './stats.ts'

export function reportRoutes(deps: ReportDeps): (app: App) => void {
  return (app) => {
    topRoutes(app, deps)
    statsRoutes(app, deps)
    videoRoutes(app, deps)
    qualityRoutes(app, deps)
    overviewRoutes(app, deps)

    app.post(
      '/analytics/v1/funnels',
      report({
        id: 'getFunnel',
        summary: 'Count how many viewers get through a series of steps',
        description:
          'What `range` in the body leaves out comes from `start` and `end` in the query, and then from the default.',
        request: { querystring: ReportQuery, body: FunnelRequest },
        answers: { 200: ref(FunnelResult) },
      }),
      (request, reply) => showFunnel(request.caller, request.query, request.body, until(reply, deps)),
    )

    app.get(
      '/analytics/v1/dashboard',
      report({
        id: 'getDashboard',
        summary: 'Views and viewers over time',
        description: '`time_start` and `time_end` can be called `start` and `end`, as everywhere else.',
        request: { querystring: DashboardQuery },
        answers: { 200: ref(Dashboard) },
      }),
      (request, reply) => showDashboard(request.caller, request.query, until(reply, deps)),
    )

    app.get(
      '/analytics/v1/realtime',
      report({
        id: 'getRealtime',
        summary: 'What happened in the last five minutes, or in what of them lies between `start` and `end`',
        request: { querystring: ReportQuery },
        answers: { 200: ref(Realtime) },
      }),
      (request, reply) => showRealtime(request.caller, request.query, until(reply, deps)),
    )

    app.post(
      '/analytics/v1/retention',
      report({
        id: 'getRetention',
        summary: 'Of those who came in a period, the part that was seen again in each one after',
        optionalBody: true,
        request: { querystring: ReportQuery, body: RetentionRequest },
        answers: { 200: ref(Retention) },
      }),
      (request, reply) => showRetention(request.caller, request.query, request.body, until(reply, deps)),
    )
  }
}

function topRoutes(app: App, deps: ReportDeps): void {
  app.get(
    '/analytics/v1/top/videos',
    report({
      id: 'listTopVideos',
      summary: 'The videos with the most views',
      request: { querystring: TopQuery },
      answers: { 200: ref(TopVideos) },
    }),
    async (request, reply) => {
      const ranked = await showTop(request.caller, request.query, { by: 'video' }, until(reply, deps))
      return { videos: ranked.map(({ id: video_id, ...counts }) => ({ video_id, ...counts })) }
    },
  )

  app.get(
    '/analytics/v1/top/posts',
    report({
      id: 'listTopPosts',
      summary: 'The posts with the most views, of all feeds or of one',
      request: { querystring: TopPostsQuery },
      answers: { 200: ref(TopPosts) },
    }),
    async (request, reply) => {
      const { feed_id: feed, ...query } = request.query
      const ranked = await showTop(request.caller, query, { by: 'post', feed }, until(reply, deps))
      return { posts: ranked.map(({ id: post_id, ...counts }) => ({ post_id, ...counts })) }
    },
  )

  app.get(
    '/analytics/v1/top/feeds',
    report({
      id: 'listTopFeeds',
      summary: 'The feeds with the most views',
      request: { querystring: TopQuery },
      answers: { 200: ref(TopFeeds) },
    }),
    async (request, reply) => {
      const ranked = await showTop(request.caller, request.query, { by: 'feed' }, until(reply, deps))
      return { feeds: ranked.map(({ id: feed_id, ...counts }) => ({ feed_id, ...counts })) }
    },
  )
}

function statsRoutes(app: App, deps: ReportDeps): void {
  app.get(
    '/analytics/v1/videos/:video_id/stats',
    report({
      id: 'getVideoStats',
      summary: 'The figures of a video; zeros where nothing is known of it',
      request: { params: OneVideo, querystring: ReportQuery },
      answers: { 200: ref(VideoStats) },
    }),
    async ({ caller, params: { video_id }, query }, reply) => ({
      video_id,
      ...(await showStats(caller, query, { by: 'video', id: video_id }, until(reply, deps))),
    }),
  )

  app.get(
    '/analytics/v1/posts/:post_id/stats',
    report({
      id: 'getPostStats',
      summary: 'The figures of a post; zeros where nothing is known of it',
      request: { params: OnePost, querystring: ReportQuery },
      answers: { 200: ref(PostStats) },
    }),
    async ({ caller, params: { post_id }, query }, reply) => ({
      post_id,
      ...(await showStats(caller, query, { by: 'post', id: post_id }, until(reply, deps))),
    }),
  )

  app.get(
    '/analytics/v1/feeds/:feed_id/stats',
    report({
      id: 'getFeedStats',
      summary: 'The figures of a feed; zeros where nothing is known of it',
      request: { params: OneFeed, querystring: ReportQuery },
      answers: { 200: ref(FeedStats) },
    }),
    async ({ caller, params: { feed_id }, query }, reply) => ({
      feed_id,
      ...(await showStats(caller, query, { by: 'feed', id: feed_id }, until(reply, deps))),
    }),
  )
}

function qualityRoutes(app: App, deps: ReportDeps): void {
  app.get(
    '/analytics/v1/quality',
    report({
      id: 'getQuality',
      summary: 'How well videos played: time to start, stalls, failures, rungs',
      request: { querystring: QualityReportQuery },
      answers: { 200: ref(PlaybackQuality) },
    }),
    (request, reply) => showQuality(request.caller, request.query, undefined, until(reply, deps)),
  )

  app.get(
    '/analytics/v1/videos/:video_id/quality',
    report({
      id: 'getVideoQuality',
      summary: 'How well a video played; zeros where nothing is known of it',
      request: { params: OneVideo, querystring: QualityReportQuery },
      answers: { 200: ref(VideoPlaybackQuality) },
    }),
    async ({ caller, params: { video_id }, query }, reply) => ({
      video_id,
      ...(await showQuality(caller, query, video_id, until(reply, deps))),
    }),
  )
}

function videoRoutes(app: App, deps: ReportDeps): void {
  app.get(
    '/analytics/v1/videos/:video_id/heatmap',
    report({
      id: 'getHeatmap',
      summary: 'How often each part of a video was watched',
      request: { params: OneVideo, querystring: HeatmapQuery },
      answers: { 200: ref(Heatmap) },
    }),
    (request, reply) =>
      showHeatmap(request.caller, request.query, request.params.video_id, until(reply, deps)),
  )

  app.get(
    '/analytics/v1/videos/:video_id/hot-segments',
    report({
      id: 'getHotSegments',
      summary: 'The parts of a video that are watched at least one and a half times as often as the average',
      request: { params: OneVideo, querystring: ReportQuery },
      answers: { 200: ref(HotSegments) },
    }),
    (request, reply) =>
      findHotSegments(request.caller, request.query, request.params.video_id, until(reply, deps)),
  )
}
