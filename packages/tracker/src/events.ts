/** What the events operation takes, under its own names. What it does not take does not compile. */

export type Quality =
  | 'VIDEO_QUALITY_UNSPECIFIED'
  | 'VIDEO_QUALITY_BASIC'
  | 'VIDEO_QUALITY_SHORTS'
  | 'VIDEO_QUALITY_PRO'

export type ContentType = 'MEDIA_TYPE_UNSPECIFIED' | 'MEDIA_TYPE_IMAGE' | 'MEDIA_TYPE_VIDEO'
export type ViewPage = 'profile' | 'feed' | 'standalone'

/** A part of a video that was watched. Times are seconds with an `s`, as in `12.345s`. */
export interface WatchedSegment {
  start_ms: string
  end_ms: string
  speed?: number
  subtitle_language?: string
  audio_language?: string
  quality?: Quality
  chapter_title?: string
}

export interface ContentView {
  content_id?: string
  content_type?: ContentType
  feed_id?: string
  post_id?: string
  view_type?: 'start' | 'watch' | 'end'
  page?: ViewPage
  watch_duration_ms?: string
  video_position_ms?: string
  video_total_duration_ms?: string
  segments?: WatchedSegment[]
  device_id?: string
  country?: string
  subtitle_language?: string
  audio_language?: string
  quality?: Quality
}

type Texts<Name extends string> = { [K in Name]?: string }

export type Engagement = Texts<
  | 'engagement_type'
  | 'resource_type'
  | 'resource_id'
  | 'page'
  | 'comment_text'
  | 'share_platform'
  | 'country'
  | 'device_type'
>

export type ClientError = Texts<
  | 'error_type'
  | 'error_code'
  | 'error_message'
  | 'stack_trace'
  | 'resource_type'
  | 'resource_id'
  | 'endpoint'
  | 'session_id'
  | 'device_type'
  | 'browser'
  | 'os'
>

export type Interaction = Texts<
  | 'interaction_type'
  | 'element_type'
  | 'element_id'
  | 'session_id'
  | 'page'
  | 'page_url'
  | 'search_query'
  | 'device_type'
  | 'browser'
> & { scroll_depth?: number; click_x?: number; click_y?: number }

export type SessionStart = Texts<
  | 'utm_source'
  | 'utm_campaign'
  | 'browser'
  | 'language'
  | 'screen_resolution'
  | 'platform'
  | 'tg_platform'
  | 'tg_version'
  | 'timezone'
  | 'country'
  | 'user_id'
> & { timezone_offset?: number; color_depth?: number; touch_support?: boolean }

export interface Kinds {
  content_view: ContentView
  engagement: Engagement
  error: ClientError
  interaction: Interaction
  session_start: SessionStart
}

/** Takes an event of a kind, to be sent soon. */
export type Emit = <K extends keyof Kinds>(kind: K, fields: Kinds[K]) => void
