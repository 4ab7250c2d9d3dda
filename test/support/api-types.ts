// Made from docs/openapi.json by `npm run generate`. Not to be changed by hand.

/** A list whose first items can be looked at without asking first whether they are there: a test fails if not. */
type List<T> = T[] & Record<0 | 1 | 2 | 3, T>

export interface Schemas {
  Error: { code: number; error: string; details: string }
  Pagination: { limit: number; offset: number; total: number; total_is_minimum: boolean }
  CursorPagination: { limit: number; offset: number; total: number; total_is_minimum: boolean; next_cursor: string }
  AuditEntry: { id: string; at: string; action: "key.created" | "key.rotated" | "key.revoked" | "member.invited" | "member.invitation_withdrawn" | "member.joined" | "member.role_changed" | "member.status_changed" | "member.removed" | "policy.created" | "policy.changed" | "policy.deleted" | "policy.attached" | "policy.detached" | "plan.changed" | "project.created" | "project.changed" | "project.deleted" | "project.image_secret_rotated" | "signing_key.created" | "signing_key.deleted" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "webhook.secret_rotated"; actor: string; actor_name: string; address: string; user_agent: string; project_id: string; resource: string; resource_name: string; before: Record<string, unknown>; after: Record<string, unknown> }
  AuditPage: { data: List<Schemas['AuditEntry']>; pagination: Schemas['CursorPagination'] }
  ApiKey: { id: string; org_id: string; project_id: string; project_name: string; name: string; kind: "sk" | "pk"; created_at: string; expiring_at: string; last_used: string; secret: string }
  ApiKeyResult: { api_key: Schemas['ApiKey'] }
  ApiKeyList: { api_keys: List<Schemas['ApiKey']>; total: number }
  NewApiKey: { name: string; project_id: string; kind: "sk" | "pk"; expiring_at: string }
  ApiKeyRotation: { grace_seconds: number }
  PasswordResetRequest: { email: string }
  PasswordReset: { token: string; password: string }
  Member: { user_id: string; email: string; email_verified: boolean; role: "owner" | "member"; status: "active" | "suspended"; policy_ids: List<string>; created_at: string }
  Invitation: { id: string; org_id: string; email: string; role: "owner" | "member"; policy_ids: List<string>; invited_by: string; created_at: string; expires_at: string; token: string; link: string }
  MemberList: { members: List<Schemas['Member']>; total: number; invitations: List<Schemas['Invitation']> }
  InvitationList: { invitations: List<Schemas['Invitation']>; total: number }
  NewInvitation: { email: string; role: "owner" | "member"; policy_ids: List<string>; as_link: boolean }
  InvitationAcceptance: { token: string; password: string }
  ShownInvitation: { organization: string; email: string; role: "owner" | "member"; expires_at: string }
  InvitationToken: { token: string }
  RoleChange: { role: "owner" | "member" }
  StatusChange: { status: "active" | "suspended" }
  AccessToken: { access_token: string; token_type: "Bearer"; expires_in: number }
  Tokens: { access_token: string; token_type: "Bearer"; expires_in: number; refresh_token: string }
  Session: { id: string; user_agent: string; created_at: string; last_used_at: string; current: boolean }
  SessionList: { sessions: List<Schemas['Session']> }
  PasswordChange: { current_password: string; new_password: string }
  Login: { email: string; password: string; org_id: string }
  LinkSignIn: { link: string }
  OpenIdChoice: { id: string; name: string }
  SignInOptions: { mail: boolean; openid: List<Schemas['OpenIdChoice']>; ever_signed_in: boolean }
  TokenRefresh: { refresh_token: string }
  KeyExchange: { api_key: string }
  Policy: { id: string; org_id: string; name: string; description: string; permissions: List<string>; created_by: string; created_at: string; updated_at: string }
  PolicyList: { policies: List<Schemas['Policy']> }
  Permission: { name: string; offset: number }
  PermissionList: { permissions: List<Schemas['Permission']> }
  NewPolicy: { name: string; description: string; permissions: List<string> }
  PolicyChange: { name: string; description: string; permissions: List<string> }
  PolicyAttachment: { id: string; policy_id: string; identity_type: "POLICY_IDENTITY_TYPE_USER" | "POLICY_IDENTITY_TYPE_API_KEY"; identity_id: string; created_at: string }
  PolicyAttachmentList: { attachments: List<Schemas['PolicyAttachment']> }
  NewUserAttachment: { identity_type: "POLICY_IDENTITY_TYPE_USER"; identity_id: string }
  NewKeyAttachment: { identity_type: "POLICY_IDENTITY_TYPE_API_KEY"; identity_id: string }
  NewPolicyAttachment: Schemas['NewUserAttachment'] | Schemas['NewKeyAttachment']
  DomainRecord: { type: "TXT"; name: string; value: string }
  Project: { id: string; name: string; org_id: string; custom_domain: string; custom_domain_status: "pending" | "verified"; custom_domain_record: Schemas['DomainRecord']; regions: List<string>; notes: List<string>; video_quality: string; default_visibility: "public" | "unlisted" | "private"; created_at: string; updated_at: string }
  ProjectList: { projects: List<Schemas['Project']> }
  OwnProject: { id: string; name: string; org_id: string; created_at: string; trash_lifetime: number; unsigned_widths: List<number> }
  OwnProjectList: { projects: List<Schemas['OwnProject']> }
  ProjectInfo: { id: string; name: string; created_at: string; storage_used: number; storage_limit: number }
  NewProject: { name: string; regions: List<string>; video_quality: "basic" | "shorts" | "pro" | "VIDEO_QUALITY_BASIC" | "VIDEO_QUALITY_SHORTS" | "VIDEO_QUALITY_PRO"; default_visibility: "public" | "unlisted" | "private" }
  ProjectNameChange: { name: string }
  VideoQualityChange: { video_quality: "basic" | "shorts" | "pro" | "VIDEO_QUALITY_BASIC" | "VIDEO_QUALITY_SHORTS" | "VIDEO_QUALITY_PRO" }
  DefaultVisibilityChange: { default_visibility: "public" | "unlisted" | "private" }
  CustomDomain: { custom_domain: string }
  FailedRequest: { at: string; request_id: string; method: string; route: string; path: string; status: number; error: string; details: string; key_id: string; user_id: string; duration_ms: number }
  FailedRequestList: { data: List<Schemas['FailedRequest']>; pagination: Schemas['Pagination'] }
  SigningKey: { id: string; project_id: string; name: string; public_key: string; created_at: string; private_key: string }
  SigningKeyResult: { signing_key: Schemas['SigningKey'] }
  SigningKeyList: { data: List<Schemas['SigningKey']>; pagination: Schemas['Pagination'] }
  NewSigningKey: { project_id: string; name: string }
  UserOrganization: { id: string; name: string; role: "owner" | "member"; permissions: List<string> }
  CurrentUser: { id: string; email: string; created_at: string; updated_at: string; organizations: List<Schemas['UserOrganization']> }
  Health: { status: "ok" }
  Readiness: { status: string; engines: Record<string, string> }
  WatchedSegment: { start_ms: string; end_ms: string; speed: number; subtitle_language: string; audio_language: string; quality: "VIDEO_QUALITY_UNSPECIFIED" | "VIDEO_QUALITY_BASIC" | "VIDEO_QUALITY_SHORTS" | "VIDEO_QUALITY_PRO"; chapter_title: string }
  ContentView: { content_id: string; content_type: "MEDIA_TYPE_UNSPECIFIED" | "MEDIA_TYPE_IMAGE" | "MEDIA_TYPE_VIDEO"; feed_id: string; post_id: string; view_type: "start" | "watch" | "end"; page: "profile" | "feed" | "standalone"; watch_duration_ms: string; video_position_ms: string; video_total_duration_ms: string; device_id: string; country: string; subtitle_language: string; audio_language: string; quality: "VIDEO_QUALITY_UNSPECIFIED" | "VIDEO_QUALITY_BASIC" | "VIDEO_QUALITY_SHORTS" | "VIDEO_QUALITY_PRO"; segments: List<Schemas['WatchedSegment']> }
  Engagement: { engagement_type: string; resource_type: string; resource_id: string; page: string; comment_text: string; share_platform: string; country: string; device_type: string }
  ClientError: { error_type: string; error_code: string; error_message: string; stack_trace: string; resource_type: string; resource_id: string; endpoint: string; session_id: string; device_type: string; browser: string; os: string }
  Interaction: { interaction_type: string; element_type: string; element_id: string; session_id: string; page: string; page_url: string; search_query: string; device_type: string; browser: string; scroll_depth: number; click_x: number; click_y: number }
  SessionStart: { utm_source: string; utm_campaign: string; browser: string; language: string; screen_resolution: string; platform: string; tg_platform: string; tg_version: string; timezone: string; country: string; user_id: string; timezone_offset: number; color_depth: number; touch_support: boolean }
  AnalyticsEvent: { timestamp: string; content_view: Schemas['ContentView']; engagement: Schemas['Engagement']; error: Schemas['ClientError']; interaction: Schemas['Interaction']; session_start: Schemas['SessionStart'] }
  TrackEventsRequest: { events: List<Schemas['AnalyticsEvent']>; user_id: string; country: string; city: string; region: string; device: string; os: string; os_version: string; language: string; browser: string; project_id: string }
  EventsAcknowledgement: Record<string, unknown>
  OverviewTotals: { views: number; viewers: number; watch_time_ms: number; completion_rate: number }
  OverviewPoint: { timestamp: string; views: number; viewers: number; watch_time_ms: number }
  Overview: { totals: Schemas['OverviewTotals']; previous: Schemas['OverviewTotals']; points: List<Schemas['OverviewPoint']> }
  DateRange: { start: string; end: string }
  FunnelStep: { name: string; event_type: string; page_type: string; filters: Record<string, string> }
  FunnelRequest: { range: Schemas['DateRange']; steps: List<Schemas['FunnelStep']>; time_window: number }
  FunnelStepResult: { step_name: string; user_count: number; conversion_rate: number; dropoff_rate: number; average_time_hours: number }
  FunnelResult: { total_users: number; completed_users: number; completion_rate: number; average_time_hours: number; steps: List<Schemas['FunnelStepResult']> }
  VideoStats: { video_id: string; total_views: number; unique_viewers: number; starts: number; watches: number; completions: number; completion_rate: number; avg_watch_time_ms: number; total_watch_time_ms: number }
  PostStats: { post_id: string; total_views: number; unique_viewers: number; starts: number; watches: number; completions: number; completion_rate: number; avg_watch_time_ms: number; total_watch_time_ms: number }
  FeedStats: { feed_id: string; total_views: number; unique_viewers: number; starts: number; watches: number; completions: number; completion_rate: number; avg_watch_time_ms: number; total_watch_time_ms: number }
  TopVideos: { videos: List<Schemas['VideoStats']> }
  TopPosts: { posts: List<Schemas['PostStats']> }
  TopFeeds: { feeds: List<Schemas['FeedStats']> }
  Heatmap: { video_id: string; total_duration_ms: number; data: List<number> }
  HotSegment: { start_second: number; end_second: number; multiplier: number }
  HotSegments: { segments: List<Schemas['HotSegment']> }
  DashboardPoint: { timestamp: string; views: number; unique_users: number }
  Dashboard: { points: List<Schemas['DashboardPoint']> }
  EventCount: { event_type: string; count: number }
  CountryCount: { country: string; count: number }
  RecentEvent: { timestamp: string; event_type: string; user_id: string; country: string; page: string; content_id: string }
  Realtime: { timestamp: string; active_users: number; events_per_minute: number; top_events: List<Schemas['EventCount']>; top_countries: List<Schemas['CountryCount']>; recent_events: List<Schemas['RecentEvent']> }
  RetentionRequest: { period: "day" | "week" | "month"; range: Schemas['DateRange'] }
  RetentionCohort: { cohort_date: string; cohort_size: number; retention_data: List<number> }
  Retention: { period: string; cohorts: List<Schemas['RetentionCohort']> }
  ValueCount: { value: string; count: number }
  FilterValues: { event_types: List<Schemas['EventCount']>; fields: List<string>; values: List<Schemas['ValueCount']> }
  QualityGroup: { value: string; plays: number; failed_plays: number; failure_rate: number; start_median_ms: number; start_p95_ms: number; stalled_share: number; average_rung: number; dropped_frame_rate: number }
  PlaybackQuality: { plays: number; failed_plays: number; failure_rate: number; start_median_ms: number; start_p95_ms: number; stalled_share: number; average_rung: number; dropped_frame_rate: number; groups: List<Schemas['QualityGroup']> }
  VideoPlaybackQuality: { video_id: string; plays: number; failed_plays: number; failure_rate: number; start_median_ms: number; start_p95_ms: number; stalled_share: number; average_rung: number; dropped_frame_rate: number; groups: List<Schemas['QualityGroup']> }
  ViewerDeletion: { viewer_id: string; status: "pending" | "done" | "failed"; requested_at: string; done_at: string }
  ProviderPayload: Record<string, unknown>
  WebhookReceipt: { status: "received" | "duplicate" }
  BillingPlan: { id: "free" | "pro" | "custom" | "pay_as_you_go"; requests_per_hour: number; requests_per_minute: number; storage_limit: number }
  BillingPlanList: { plans: List<Schemas['BillingPlan']> }
  BillingSubscription: { org_id: string; plan: "free" | "pro" | "custom" | "pay_as_you_go"; status: "none" | "trialing" | "active" | "past_due" | "unpaid" | "paused" | "incomplete" | "canceled"; provider: string; subscription_id: string; period_start: string; period_end: string; started_at: string; grace_ends_at: string; ends_at: string }
  ProjectStorage: { project_id: string; name: string; storage_used: number; storage_limit: number }
  StorageUsage: { org_id: string; plan: "free" | "pro" | "custom" | "pay_as_you_go"; storage_used: number; projects: List<Schemas['ProjectStorage']> }
  SubscriptionChange: { kind: "created" | "updated" | "payment_failed" | "payment_succeeded" | "ended"; org_id: string; plan: "free" | "pro" | "custom" | "pay_as_you_go"; status: "trialing" | "active" | "past_due" | "unpaid" | "paused" | "incomplete" | "canceled"; period_start: string; period_end: string; ends_at: string | null }
  BillingEvent: { id: string; provider: string; type: string; subscription_id: string; occurred_at: string; received_at: string; change: Schemas['SubscriptionChange'] }
  BillingEventList: { data: List<Schemas['BillingEvent']>; pagination: Schemas['Pagination'] }
  BillingEventDetails: { id: string; provider: string; type: string; subscription_id: string; occurred_at: string; received_at: string; change: Schemas['SubscriptionChange']; body: string }
  UsageNow: { storage_used: number; videos: number; images: number }
  UsageTotal: { date: string; storage_used: number; videos: number; images: number }
  UsageSample: { date: string; plan: "free" | "pro" | "custom" | "pay_as_you_go"; storage_limit: number; storage_used: number; videos: number; images: number }
  ProjectUsageHistory: { project_id: string; name: string; now: Schemas['UsageNow']; samples: List<Schemas['UsageSample']> }
  UsageHistory: { org_id: string; plan: "free" | "pro" | "custom" | "pay_as_you_go"; storage_limit: number; totals: List<Schemas['UsageTotal']>; projects: List<Schemas['ProjectUsageHistory']>; pagination: Schemas['Pagination'] }
  ImportProgress: { received: number; size: number }
  UploadReceipt: { size: number }
  File: { id: string; name: string; format: string; size: number; status: "preparing" | "uploading" | "uploaded" | "processing" | "ready" | "error"; url: string; project_id: string; created_at: string; updated_at: string }
  FocalPoint: { x: number; y: number }
  Image: { id: string; file: Schemas['File']; width: number; height: number; thumbhash: string; attached_to_video: boolean; description: string; focal_point: Schemas['FocalPoint']; visibility: "public" | "unlisted" | "private"; metadata: Record<string, string> }
  ImageList: { data: List<Schemas['Image']>; pagination: Schemas['Pagination'] }
  NewImage: { file_name: string; image_format: "jpg" | "png" | "webp"; file_size: number; resumable: boolean; name: string; format: "jpg" | "png" | "webp" }
  ImageChanges: { name: string; description: string | null; focal_point: Schemas['FocalPoint'] | null; visibility: "public" | "unlisted" | "private"; metadata: Record<string, string> | null }
  ImageUpload: { image_id: string; presigned_url: string; upload_expires: number }
  ImageImportRequest: { url: string; file_name: string }
  ImageImport: { image_id: string; upload_expires: number; status: "uploading" }
  ImageProgress: { image_id: string; status: "processing" | "complete" | "failed"; reason: string; import: Schemas['ImportProgress'] }
  ImageCompletion: { image_id: string; attached_to_video: boolean }
  SizeOptions: { w: number; h: number; dpr: number; fit: "cover" | "contain" | "fill"; gravity: string; rotate: 0 | 90 | 180 | 270; flip: "h" | "v" | "both"; trim: number; blur: number; sharpen: number; background: string; format: "auto" | "avif" | "webp" | "jpg" | "png" | "gif"; q: number; lossless: boolean }
  ImagePreset: { name: string; options: Schemas['SizeOptions']; created_at: string; updated_at: string }
  ImagePresetList: { data: List<Schemas['ImagePreset']>; pagination: Schemas['Pagination'] }
  ImageSigningSecret: { secret: string; created_at: string }
  Chapter: { title: string; start_time_sec: number; end_time_sec: number; duration_label: string }
  Video: { id: string; file: Schemas['File']; poster: Schemas['Image']; duration: number; width: number; height: number; bitrate: number; codec: string; framerate: string; hdr: boolean; plan_type: "free" | "pro" | "custom" | "pay_as_you_go"; chapters: List<Schemas['Chapter']>; description: string; visibility: "public" | "unlisted" | "private"; metadata: Record<string, string>; created_at: string }
  VideoList: { data: List<Schemas['Video']>; pagination: Schemas['Pagination'] }
  NewVideo: { file_name: string; video_quality: "basic" | "shorts" | "pro" | "VIDEO_QUALITY_BASIC" | "VIDEO_QUALITY_SHORTS" | "VIDEO_QUALITY_PRO"; image_format: "jpg" | "png" | "webp"; file_size: number; resumable: boolean }
  VideoChanges: { name: string; description: string | null; visibility: "public" | "unlisted" | "private"; metadata: Record<string, string> | null }
  VideoUpload: { video_id: string; video_presigned_url: string; poster_id: string; poster_presigned_url: string; upload_expires: number }
  ThumbnailForm: { thumbnail: string }
  NewChapter: { title: string; start_time_sec: number }
  NewChapters: { chapters: List<Schemas['NewChapter']> }
  VideoChapters: { video_id: string; chapters: List<Schemas['Chapter']> }
  VideoCompletion: { video_id: string }
  NewClip: { start: number; end: number; title: string }
  RenditionProgress: { name: string; kind: "video" | "audio"; segments_made: number; segments: number; width: number; height: number; language_code: string }
  VideoProgress: { video_id: string; status: "processing" | "complete" | "failed"; reason: string; notes: List<string>; percent: number; renditions: List<Schemas['RenditionProgress']>; import: Schemas['ImportProgress'] }
  VideoImportRequest: { url: string; file_name: string; video_quality: "basic" | "shorts" | "pro" | "VIDEO_QUALITY_BASIC" | "VIDEO_QUALITY_SHORTS" | "VIDEO_QUALITY_PRO" }
  VideoImport: { video_id: string; poster_id: string; poster_presigned_url: string; upload_expires: number; status: "uploading" }
  Subtitle: { id: string; video_id: string; language_code: string; label: string; name: string; size: number; url: string; created_at: string }
  AudioTrack: { id: string; video_id: string; language_code: string; label: string; name: string; size: number; url: string; created_at: string; format: string }
  Subtitles: List<Schemas['Subtitle']>
  SubtitleList: { data: List<Schemas['Subtitle']> }
  AudioTracks: List<Schemas['AudioTrack']>
  AudioTrackList: { data: List<Schemas['AudioTrack']> }
  LabelledFile: { file: string; label: string }
  LabelledFiles: { files: List<string>; language_codes: string; labels: string }
  Deletion: { message: string; status: string }
  Language: { code: string; name: string }
  Languages: List<Schemas['Language']>
  NewToken: { ttl: number; viewer: string; origins: List<string> }
  NewPlaybackToken: { ttl: number; viewer: string; origins: List<string>; max_height: number }
  PlaybackToken: { token: string; expires_at: string }
  Feed: { id: string; project_id: string; name: string; description: string; allow_images: boolean; allow_videos: boolean; has_likes: boolean; has_shares: boolean; has_comments: boolean; visibility: "public"; created_at: string; updated_at: string }
  FeedList: { data: List<Schemas['Feed']>; pagination: Schemas['Pagination'] }
  NewFeed: { name: string; description: string; allow_images: boolean; allow_videos: boolean; has_likes: boolean; has_shares: boolean; has_comments: boolean; visibility: "public" | "private" }
  FeedChanges: { name: string; description: string; allow_images: boolean; allow_videos: boolean; has_likes: boolean; has_shares: boolean; has_comments: boolean; visibility: "public" | "private" }
  NewContent: { content_ids: List<string | string>; content_type: "video" | "image" | "mixed"; creator_id: string; description: string }
  PostFile: { id: string; name: string; format: string; size: number; status: "preparing" | "uploading" | "uploaded" | "processing" | "ready" | "error"; url: string; project_id: string }
  PostImage: { id: string; file: Schemas['PostFile']; width: number; height: number; thumbhash: string; attached_to_video: boolean; focal_point: Schemas['FocalPoint']; visibility: "public" | "unlisted" | "private" }
  PostVideo: { id: string; file: Schemas['PostFile']; poster: Schemas['PostImage']; duration: number; width: number; height: number; bitrate: number; codec: string; framerate: string; hdr: boolean; plan_type: "free" | "pro" | "custom" | "pay_as_you_go"; chapters: List<Schemas['Chapter']>; visibility: "public" | "unlisted" | "private"; created_at: string }
  Post: { id: string; feed_id: string; creator_id: string; description: string; type: "video" | "image"; image_id: string; image: Schemas['PostImage']; video_id: string; video: Schemas['PostVideo']; plan_type: "free" | "pro" | "custom" | "pay_as_you_go"; failure: string; created_at: string; updated_at: string }
  ProjectPost: { id: string; feed_id: string; creator_id: string; description: string; type: "video" | "image"; image_id: string; image: Schemas['PostImage']; video_id: string; video: Schemas['PostVideo']; plan_type: "free" | "pro" | "custom" | "pay_as_you_go"; failure: string; created_at: string; updated_at: string; published: boolean }
  PostPage: { data: List<Schemas['Post']>; pagination: Schemas['CursorPagination'] }
  ProjectPostPage: { data: List<Schemas['ProjectPost']>; pagination: Schemas['CursorPagination'] }
  AddedContent: { feed_id: string; data: List<Schemas['Post']> }
  NewPost: { content_type: "image" | "video"; file_name: string; format: string; creator_id: string; description: string; image_format: string; video_quality: "basic" | "shorts" | "pro" | "VIDEO_QUALITY_BASIC" | "VIDEO_QUALITY_SHORTS" | "VIDEO_QUALITY_PRO"; file_size: number; resumable: boolean }
  PostUpload: { post_id: string; content_id: string; content_upload_url: string; poster_id: string; poster_upload_url: string; upload_expires: number }
  PostCompletion: { post_id: string }
  PostChanges: { description: string; creator_id: string; published: boolean }
  PostMove: { before: string; after: string }
  MediaItem: { id: string; kind: "video" | "image"; name: string; description: string; visibility: "public" | "unlisted" | "private"; metadata: Record<string, string>; status: "ready" | "error"; size: number; duration: number; width: number; height: number; thumbhash: string; percent: number; url: string; thumbnail_url: string; created_at: string }
  MediaPage: { data: List<Schemas['MediaItem']>; pagination: Schemas['CursorPagination'] }
  UploadUnderWay: { id: string; kind: "video" | "image"; post_id: string; name: string; status: "uploading" | "processing" | "failed"; reason: string; received: number; size: number; created_at: string; upload_expires: number }
  UploadPage: { data: List<Schemas['UploadUnderWay']>; pagination: Schemas['Pagination'] }
  MediaUse: { feed_id: string; feed_name: string; post_id: string; status: "published" | "draft"; published_at: string }
  MediaUses: { data: List<Schemas['MediaUse']>; pagination: Schemas['Pagination'] }
  Oembed: { version: "1.0"; type: "video" | "photo"; title: string; author_name: string; provider_name: string; provider_url: string; cache_age: number; thumbnail_url: string; thumbnail_width: number; thumbnail_height: number; width: number; height: number; html: string; url: string }
  Webhook: { id: string; project_id: string; url: string; kinds: List<"video.ready" | "video.processed" | "video.failed" | "video.deleted" | "image.ready" | "image.deleted" | "post.published" | "post.deleted" | "upload.expired" | "plan.changed" | "key.rotated">; description: string; enabled: boolean; disabled_reason: string; failing_since: string; created_at: string; updated_at: string; secret: string }
  WebhookResult: { webhook: Schemas['Webhook'] }
  WebhookList: { data: List<Schemas['Webhook']>; pagination: Schemas['Pagination'] }
  NewWebhook: { project_id: string; url: string; kinds: List<"video.ready" | "video.processed" | "video.failed" | "video.deleted" | "image.ready" | "image.deleted" | "post.published" | "post.deleted" | "upload.expired" | "plan.changed" | "key.rotated">; description: string }
  WebhookChanges: { url: string; kinds: List<"video.ready" | "video.processed" | "video.failed" | "video.deleted" | "image.ready" | "image.deleted" | "post.published" | "post.deleted" | "upload.expired" | "plan.changed" | "key.rotated">; description: string; enabled: boolean }
  WebhookSecretRotation: { grace_seconds: number }
  WebhookTest: { kind: "video.ready" | "video.processed" | "video.failed" | "video.deleted" | "image.ready" | "image.deleted" | "post.published" | "post.deleted" | "upload.expired" | "plan.changed" | "key.rotated" }
  WebhookMessage: { id: string; type: "video.ready" | "video.processed" | "video.failed" | "video.deleted" | "image.ready" | "image.deleted" | "post.published" | "post.deleted" | "upload.expired" | "plan.changed" | "key.rotated"; timestamp: string; data: Record<string, unknown> }
  WebhookMessagePage: { data: List<Schemas['WebhookMessage']>; next_cursor: string }
  WebhookRequest: { url: string; headers: Record<string, string>; body: string }
  WebhookResponse: { status: number; headers: Record<string, string>; body: string }
  WebhookAttempt: { started_at: string; duration_ms: number; request: Schemas['WebhookRequest']; response: Schemas['WebhookResponse']; error: string }
  WebhookDelivery: { id: string; message: Schemas['WebhookMessage']; state: "pending" | "delivered" | "failed"; attempts: number; next_attempt_at: string; created_at: string; last_try: Schemas['WebhookAttempt'] }
  WebhookDeliveryDetails: { id: string; message: Schemas['WebhookMessage']; state: "pending" | "delivered" | "failed"; attempts: number; next_attempt_at: string; created_at: string; tries: List<Schemas['WebhookAttempt']> }
  WebhookDeliveryList: { data: List<Schemas['WebhookDelivery']>; pagination: Schemas['Pagination'] }
  WebhookReplay: { since: string; until: string; state: "pending" | "delivered" | "failed" }
  WebhookReplayed: { replayed: number }
}

/** What addresses answer where they succeed: by part, `{}` for one that is given, then by method. */
export interface Answers {
  'healthz': {
    'get()': Schemas['Health']
  }
  'readyz': {
    'get()': Schemas['Readiness']
  }
  'metrics': {
    'get()': string
  }
  'auth': {
    'v1': {
      'login': {
        'post()': Schemas['Tokens']
      }
      'token': {
        'post()': Schemas['Tokens']
      }
      'invitations': {
        'accept': {
          'post()': Schemas['Tokens']
        }
      }
      'logout': {
        'post()': string
      }
      'users': {
        'current': {
          'get()': Schemas['CurrentUser']
          'password': {
            'put()': string
          }
          'projects': {
            'get()': Schemas['OwnProjectList']
          }
        }
      }
      'browser': {
        'session': {
          'post()': Schemas['AccessToken']
          'delete()': string
          'renew': {
            'post()': Schemas['AccessToken']
          }
          'link': {
            'post()': Schemas['AccessToken']
          }
          'invitation': {
            'post()': Schemas['AccessToken']
          }
        }
        'options': {
          'get()': Schemas['SignInOptions']
        }
        'invitation': {
          'post()': Schemas['ShownInvitation']
        }
        'openid': {
          '{}': {
            'get()': string
            'callback': {
              'get()': string
            }
          }
        }
      }
      'sessions': {
        'get()': Schemas['SessionList']
        'delete()': string
        '{}': {
          'delete()': string
        }
      }
      'password-reset': {
        'post()': string
        'complete': {
          'post()': string
        }
      }
      'policies': {
        'permissions': {
          'get()': Schemas['PermissionList']
        }
      }
      'memberships': {
        '{}': {
          'policies': {
            'get()': Schemas['PolicyList']
            'post()': Schemas['Policy']
            '{}': {
              'get()': Schemas['Policy']
              'put()': Schemas['Policy']
              'delete()': string
              'attachments': {
                'get()': Schemas['PolicyAttachmentList']
                'post()': Schemas['PolicyAttachment']
              }
            }
            'attachments': {
              '{}': {
                'delete()': string
              }
            }
          }
          'members': {
            'get()': Schemas['MemberList']
            '{}': {
              'delete()': string
              'role': {
                'patch()': Schemas['Member']
              }
              'status': {
                'patch()': Schemas['Member']
              }
            }
          }
          'invite': {
            'post()': Schemas['Invitation']
          }
          'invitations': {
            'get()': Schemas['InvitationList']
            '{}': {
              'delete()': string
            }
          }
        }
      }
    }
  }
  'platform': {
    'auth': {
      'v1': {
        'token': {
          'post()': Schemas['Tokens']
        }
      }
    }
  }
  'organizations': {
    '{}': {
      'api-keys': {
        'v1': {
          'get()': Schemas['ApiKeyList']
          'post()': Schemas['ApiKeyResult']
          '{}': {
            'delete()': string
            'rotate': {
              'post()': Schemas['ApiKeyResult']
            }
          }
        }
      }
      'signing-keys': {
        'v1': {
          'get()': Schemas['SigningKeyList']
          'post()': Schemas['SigningKeyResult']
          '{}': {
            'delete()': string
          }
        }
      }
      'requests': {
        'v1': {
          'failed': {
            'get()': Schemas['FailedRequestList']
          }
        }
      }
      'projects': {
        'v1': {
          'post()': Schemas['Project']
          '{}': {
            'get()': Schemas['Project']
            'delete()': string
            'name': {
              'patch()': Schemas['Project']
            }
            'video-quality': {
              'patch()': Schemas['Project']
            }
            'default-visibility': {
              'patch()': Schemas['Project']
            }
            'custom-domain': {
              'put()': Schemas['Project']
              'delete()': Schemas['Project']
            }
          }
        }
      }
      'audit': {
        'v1': {
          'get()': Schemas['AuditPage']
        }
      }
      'webhooks': {
        'v1': {
          'get()': Schemas['WebhookList']
          'post()': Schemas['WebhookResult']
          '{}': {
            'get()': Schemas['WebhookResult']
            'patch()': Schemas['WebhookResult']
            'delete()': string
            'rotate': {
              'post()': Schemas['WebhookResult']
            }
            'test': {
              'post()': Schemas['WebhookDeliveryDetails']
            }
            'deliveries': {
              'get()': Schemas['WebhookDeliveryList']
              '{}': {
                'get()': Schemas['WebhookDeliveryDetails']
                'replay': {
                  'post()': Schemas['WebhookDeliveryDetails']
                }
              }
            }
            'replay': {
              'post()': Schemas['WebhookReplayed']
            }
          }
        }
      }
    }
  }
  'project': {
    'get()': Schemas['ProjectInfo']
  }
  'organization': {
    '{}': {
      'projects': {
        'get()': Schemas['ProjectList']
      }
    }
  }
  'images': {
    'get()': Schemas['ImageList']
    'upload': {
      'init': {
        'post()': Schemas['ImageUpload']
      }
      'complete': {
        'post()': Schemas['Image']
      }
    }
    '{}': {
      'get()': Schemas['Image']
      'patch()': Schemas['Image']
      'delete()': string
      'restore': {
        'post()': Schemas['Image']
      }
      'progress': {
        'get()': Schemas['ImageProgress']
      }
      'playback-token': {
        'post()': Schemas['PlaybackToken']
      }
      'uses': {
        'get()': Schemas['MediaUses']
      }
    }
    'import': {
      'post()': Schemas['ImageImport']
    }
    'presets': {
      'get()': Schemas['ImagePresetList']
      '{}': {
        'put()': Schemas['ImagePreset']
        'delete()': string
      }
    }
    'signing-secret': {
      'get()': Schemas['ImageSigningSecret']
      'rotate': {
        'post()': Schemas['ImageSigningSecret']
      }
    }
  }
  'videos': {
    'get()': Schemas['VideoList']
    'upload': {
      'init': {
        'post()': Schemas['VideoUpload']
      }
      'complete': {
        'post()': Schemas['Video']
      }
    }
    'languages': {
      'get()': Schemas['Languages']
    }
    '{}': {
      'get()': Schemas['Video']
      'patch()': Schemas['Video']
      'delete()': string
      'restore': {
        'post()': Schemas['Video']
      }
      'subtitles': {
        'get()': Schemas['SubtitleList']
        'delete()': Schemas['Deletion']
        'post()': Schemas['Subtitles']
        '{}': {
          'delete()': Schemas['Deletion']
          'put()': Schemas['Subtitle']
        }
      }
      'audio-tracks': {
        'get()': Schemas['AudioTrackList']
        'delete()': Schemas['Deletion']
        'post()': Schemas['AudioTracks']
        '{}': {
          'delete()': Schemas['Deletion']
          'put()': Schemas['AudioTrack']
        }
      }
      'chapters': {
        'get()': Schemas['VideoChapters']
        'put()': Schemas['VideoChapters']
        'delete()': Schemas['VideoChapters']
        '{}': {
          'delete()': Schemas['VideoChapters']
        }
      }
      'progress': {
        'get()': Schemas['VideoProgress']
      }
      'clips': {
        'post()': Schemas['Video']
      }
      'thumbnail': {
        'get()': string
        'head()': string
        'put()': Schemas['Video']
      }
      'storyboard.vtt': {
        'get()': string
      }
      'playback-token': {
        'post()': Schemas['PlaybackToken']
      }
      'uses': {
        'get()': Schemas['MediaUses']
      }
    }
    'import': {
      'post()': Schemas['VideoImport']
    }
  }
  'media': {
    'get()': Schemas['MediaPage']
    'playback-token': {
      'post()': Schemas['PlaybackToken']
    }
  }
  'cdn': {
    '{}': {
      '{}': {
        'get()': string
        'head()': string
        '{}': {
          'get()': string
          'head()': string
        }
        'download.mp4': {
          'get()': string
          'head()': string
        }
        'audio.m4a': {
          'get()': string
          'head()': string
        }
        'preview.webp': {
          'get()': string
          'head()': string
        }
        'preview.avif': {
          'get()': string
          'head()': string
        }
      }
    }
  }
  'posts': {
    'v1': {
      'feeds': {
        '{}': {
          'get()': Schemas['PostPage']
          '{}': {
            'get()': Schemas['Post']
          }
        }
      }
      'projects': {
        '{}': {
          'feeds': {
            '{}': {
              'posts': {
                'get()': Schemas['ProjectPostPage']
                'upload': {
                  'init': {
                    'post()': Schemas['PostUpload']
                  }
                  'complete': {
                    'post()': Schemas['Post']
                  }
                }
                '{}': {
                  'get()': Schemas['ProjectPost']
                  'patch()': Schemas['Post']
                  'delete()': string
                  'move': {
                    'post()': Schemas['Post']
                  }
                }
              }
            }
          }
          'posts': {
            'get()': Schemas['ProjectPostPage']
          }
        }
      }
    }
  }
  'feeds': {
    'post()': Schemas['Feed']
    'get()': Schemas['FeedList']
    '{}': {
      'put()': Schemas['Feed']
      'delete()': string
      'get()': Schemas['PostPage']
      'content': {
        'post()': Schemas['AddedContent']
      }
      'info': {
        'get()': Schemas['Feed']
      }
      'creators': {
        '{}': {
          'get()': Schemas['PostPage']
        }
      }
      '{}': {
        'get()': Schemas['Post']
      }
      'rss': {
        'get()': string
      }
      'podcast': {
        'get()': string
      }
    }
  }
  'embed': {
    '{}': {
      'get()': string
      '{}': {
        'get()': string
      }
    }
  }
  'oembed': {
    'get()': Schemas['Oembed']
  }
  'uploads': {
    'get()': Schemas['UploadPage']
  }
  'analytics': {
    'v1': {
      'top': {
        'videos': {
          'get()': Schemas['TopVideos']
        }
        'posts': {
          'get()': Schemas['TopPosts']
        }
        'feeds': {
          'get()': Schemas['TopFeeds']
        }
      }
      'videos': {
        '{}': {
          'stats': {
            'get()': Schemas['VideoStats']
          }
          'heatmap': {
            'get()': Schemas['Heatmap']
          }
          'hot-segments': {
            'get()': Schemas['HotSegments']
          }
          'quality': {
            'get()': Schemas['VideoPlaybackQuality']
          }
        }
      }
      'posts': {
        '{}': {
          'stats': {
            'get()': Schemas['PostStats']
          }
        }
      }
      'feeds': {
        '{}': {
          'stats': {
            'get()': Schemas['FeedStats']
          }
        }
      }
      'quality': {
        'get()': Schemas['PlaybackQuality']
      }
      'overview': {
        'get()': Schemas['Overview']
      }
      'values': {
        'get()': Schemas['FilterValues']
      }
      'funnels': {
        'post()': Schemas['FunnelResult']
      }
      'dashboard': {
        'get()': Schemas['Dashboard']
      }
      'realtime': {
        'get()': Schemas['Realtime']
      }
      'retention': {
        'post()': Schemas['Retention']
      }
      'viewers': {
        '{}': {
          'delete()': Schemas['ViewerDeletion']
          'deletion': {
            'get()': Schemas['ViewerDeletion']
          }
        }
      }
      'events': {
        'post()': Schemas['EventsAcknowledgement']
      }
    }
  }
  'billing': {
    'v1': {
      'events': {
        'get()': Schemas['BillingEventList']
        '{}': {
          'get()': Schemas['BillingEventDetails']
          'replay': {
            'post()': Schemas['BillingEvent']
          }
        }
      }
      'plans': {
        'get()': Schemas['BillingPlanList']
      }
      'subscription': {
        'get()': Schemas['BillingSubscription']
      }
      'storage-usage': {
        'get()': Schemas['StorageUsage']
      }
      'usage-history': {
        'get()': Schemas['UsageHistory']
      }
    }
    'webhooks': {
      '{}': {
        'post()': Schemas['WebhookReceipt']
      }
    }
  }
  'webhooks': {
    'v1': {
      'messages': {
        'get()': Schemas['WebhookMessagePage']
      }
    }
  }
  'sdk': {
    '{}': {
      'get()': string
      'head()': string
    }
  }
  'upload': {
    '{}': {
      'post()': string
      'patch()': string
      'delete()': string
      'put()': Schemas['UploadReceipt']
      'head()': string
    }
  }
}
