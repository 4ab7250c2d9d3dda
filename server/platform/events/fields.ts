/** What events hold, by kind. Names are those of the interface, and of the columns that keep them. */

type EventFieldType = 'text' | 'duration' | 'double' | 'int32' | 'boolean' | readonly string[]

const text = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'text' as const]))

export const QUALITIES = [
  'VIDEO_QUALITY_UNSPECIFIED',
  'VIDEO_QUALITY_BASIC',
  'VIDEO_QUALITY_SHORTS',
  'VIDEO_QUALITY_PRO',
] as const

/** Fields of the kinds beside `segments`, which only a view has. */
export const KINDS = {
  content_view: {
    content_id: 'text',
    content_type: ['MEDIA_TYPE_UNSPECIFIED', 'MEDIA_TYPE_IMAGE', 'MEDIA_TYPE_VIDEO'],
    feed_id: 'text',
    post_id: 'text',
    view_type: ['start', 'watch', 'end'],
    page: ['profile', 'feed', 'standalone'],
    watch_duration_ms: 'duration',
    video_position_ms: 'duration',
    video_total_duration_ms: 'duration',
    ...text('device_id', 'country', 'subtitle_language', 'audio_language'),
    quality: QUALITIES,
  },
  engagement: text(
    'engagement_type',
    'resource_type',
    'resource_id',
    'page',
    'comment_text',
    'share_platform',
    'country',
    'device_type',
  ),
  error: text(
    'error_type',
    'error_code',
    'error_message',
    'stack_trace',
    'resource_type',
    'resource_id',
    'endpoint',
    'session_id',
    'device_type',
    'browser',
    'os',
  ),
  interaction: {
    ...text(
      'interaction_type',
      'element_type',
      'element_id',
      'session_id',
      'page',
      'page_url',
      'search_query',
      'device_type',
      'browser',
    ),
    scroll_depth: 'double',
    click_x: 'int32',
    click_y: 'int32',
  },
  session_start: {
    ...text(
      'utm_source',
      'utm_campaign',
      'browser',
      'language',
      'screen_resolution',
      'platform',
      'tg_platform',
      'tg_version',
      'timezone',
      'country',
      'user_id',
    ),
    timezone_offset: 'double',
    color_depth: 'double',
    touch_support: 'boolean',
  },
} as const satisfies Record<string, Record<string, EventFieldType>>

export type Kind = keyof typeof KINDS
export const KIND_NAMES = Object.keys(KINDS) as Kind[]

/** What a request says of all its events; an event's own field of the same name goes before it. */
export const ENVELOPE = [
  'user_id',
  'country',
  'city',
  'region',
  'device',
  'os',
  'os_version',
  'language',
  'browser',
] as const

/** Every field that can be asked for as text, once. `project_id` is that of the scope the event is in. */
export const TEXT_FIELDS: readonly string[] = [
  ...new Set([...ENVELOPE, ...KIND_NAMES.flatMap((kind) => Object.keys(KINDS[kind]))]),
]

/** What a funnel can ask for of events of a kind: their own fields and those of the envelope. */
export function fieldsOf(kind: Kind): string[] {
  return [...Object.keys(KINDS[kind]), ...ENVELOPE, 'project_id']
}

export function isFieldOf(kind: Kind, field: string): boolean {
  return fieldsOf(kind).includes(field)
}
