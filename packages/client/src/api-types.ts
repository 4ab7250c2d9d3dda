// Made from docs/openapi.json by `npm run generate`. Not to be changed by hand.

/** The shapes of bodies, by their names in the description. */
export interface Schemas {
  Error: { /** HTTP status code */ code: number; /** message */ error: string; details?: string }
  Pagination: { /** maximum items per request */ limit: number; /** starting point of the result set */ offset: number; /** total available items */ total: number; /** true where a search finds more than 5,000: `total` is counted so far, or as far as this page shows */ total_is_minimum?: boolean }
  CursorPagination: { /** maximum items per request */ limit: number; /** starting point of the result set */ offset: number; /** total available items */ total: number; /** true where a search finds more than 5,000: `total` is counted so far, or as far as this page shows */ total_is_minimum?: boolean; /** absent on the last page */ next_cursor?: string }
  AuditEntry: { id: string; at: string; action: "key.created" | "key.rotated" | "key.revoked" | "member.invited" | "member.invitation_withdrawn" | "member.joined" | "member.role_changed" | "member.status_changed" | "member.removed" | "policy.created" | "policy.changed" | "policy.deleted" | "policy.attached" | "policy.detached" | "plan.changed" | "project.created" | "project.changed" | "project.deleted" | "project.image_secret_rotated" | "signing_key.created" | "signing_key.deleted" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "webhook.secret_rotated"; /** the id of a user or a key, `operator`, `billing`, or `dns` where another project has proved a domain */ actor: string; /** of a user or a key that is still there */ actor_name?: string; /** where the request came from */ address?: string; user_agent?: string; project_id?: string; /** the id of what was changed */ resource: string; /** what it was called then */ resource_name?: string; /** what was changed of it, as it was; all of it where it is gone */ before?: Record<string, unknown>; /** what was changed of it, as it became; all of it where it is new */ after?: Record<string, unknown> }
  AuditPage: { data: Schemas['AuditEntry'][]; pagination: Schemas['CursorPagination'] }
  ApiKey: { id: string; org_id: string; project_id: string; project_name: string; name: string; /** sk: secret, for servers. pk: publishable, safe in a browser. */ kind: "sk" | "pk"; created_at: string; expiring_at?: string; last_used?: string; /** The key itself; shown only when it is made. */ secret?: string }
  ApiKeyResult: { api_key: Schemas['ApiKey'] }
  ApiKeyList: { api_keys: Schemas['ApiKey'][]; total: number }
  NewApiKey: { name: string; project_id: string; kind?: "sk" | "pk"; expiring_at?: string }
  ApiKeyRotation: { /** How long the old secret goes on working. */ grace_seconds?: number }
  PasswordResetRequest: { email: string }
  PasswordReset: { /** what follows `#token=` in the link */ token: string; /** at least 10 characters */ password: string }
  Member: { user_id: string; email: string; /** Whether the address is known to be theirs. Where it is not, the account is good for this organization only. */ email_verified: boolean; /** An owner may do everything; a member what their policies say. */ role: "owner" | "member"; /** A suspended member keeps role and policies, and may do nothing. */ status: "active" | "suspended"; policy_ids: string[]; created_at: string }
  Invitation: { id: string; org_id: string; email: string; /** An owner may do everything; a member what their policies say. */ role: "owner" | "member"; policy_ids: string[]; invited_by: string; created_at: string; expires_at: string; /** Proves the invitation; shown only when it is made, and only where it is not mailed: pass it on to the invited. Else it is mailed to the address and shown to nobody. */ token?: string; /** The page where the invited accept it; has the token, and is shown where that is. */ link?: string }
  MemberList: { members: Schemas['Member'][]; total: number; invitations: Schemas['Invitation'][] }
  InvitationList: { invitations: Schemas['Invitation'][]; total: number }
  NewInvitation: { email: string; /** An owner may do everything; a member what their policies say. */ role?: "owner" | "member"; policy_ids?: string[]; /** true: nothing is mailed, also where mail is set up; the answer has the `link` to pass on */ as_link?: boolean }
  InvitationAcceptance: { token: string; password: string }
  ShownInvitation: { /** its name */ organization: string; email: string; /** An owner may do everything; a member what their policies say. */ role: "owner" | "member"; expires_at: string }
  InvitationToken: { token: string }
  RoleChange: { /** An owner may do everything; a member what their policies say. */ role: "owner" | "member" }
  StatusChange: { /** A suspended member keeps role and policies, and may do nothing. */ status: "active" | "suspended" }
  AccessToken: { access_token: string; token_type: "Bearer"; /** Seconds it works */ expires_in: number }
  Tokens: { access_token: string; token_type: "Bearer"; /** Seconds it works */ expires_in: number; /** Works once; its use gives a new one. */ refresh_token: string }
  Session: { id: string; /** the browser, as it calls itself; empty for others */ user_agent: string; created_at: string; last_used_at: string; /** whether it is the one that asks */ current: boolean }
  SessionList: { sessions: Schemas['Session'][] }
  PasswordChange: { current_password: string; /** at least 10 characters */ new_password: string }
  Login: { email: string; password: string; /** Which account is meant, where an address has one in several organizations with the same password. */ org_id?: string }
  LinkSignIn: { /** what follows `#link=` in its address */ link: string }
  OpenIdChoice: { id: string; name: string }
  SignInOptions: { /** whether mail is set up: else links for a new password come from an operator */ mail: boolean; /** issuers that people can sign in with, at `/auth/v1/browser/openid/{id}` */ openid: Schemas['OpenIdChoice'][]; /** false until somebody has signed in here: the link that the service prints is waiting */ ever_signed_in: boolean }
  TokenRefresh: { refresh_token: string }
  KeyExchange: { api_key: string }
  Policy: { id: string; org_id: string; name: string; description: string; permissions: string[]; created_by: string; created_at: string; updated_at: string }
  PolicyList: { policies: Schemas['Policy'][] }
  Permission: { name: string; offset: number }
  PermissionList: { permissions: Schemas['Permission'][] }
  NewPolicy: { name: string; description?: string; /** `resource:action`, either part may be `*` */ permissions: string[] }
  PolicyChange: { name?: string; description?: string; /** `resource:action`, either part may be `*` */ permissions?: string[] }
  PolicyAttachment: { id: string; policy_id: string; identity_type: "POLICY_IDENTITY_TYPE_USER" | "POLICY_IDENTITY_TYPE_API_KEY"; identity_id: string; created_at: string }
  PolicyAttachmentList: { attachments: Schemas['PolicyAttachment'][] }
  NewUserAttachment: { identity_type: "POLICY_IDENTITY_TYPE_USER"; identity_id: string }
  NewKeyAttachment: { identity_type: "POLICY_IDENTITY_TYPE_API_KEY"; identity_id: string }
  NewPolicyAttachment: Schemas['NewUserAttachment'] | Schemas['NewKeyAttachment']
  DomainRecord: { type: "TXT"; name: string; value: string }
  Project: { id: string; name: string; org_id: string; /** Where its media is delivered once it is proved. Empty where there is none. */ custom_domain: string; /** Whether a DNS record has proved the domain; absent where there is none. */ custom_domain_status?: "pending" | "verified"; custom_domain_record?: Schemas['DomainRecord']; /** Names of the installation’s regions; they do not choose where media is kept yet. */ regions: string[]; /** What to know about values that were set and do less than they say. */ notes?: string[]; video_quality: string; /** what new media begins with; absent where nobody has set it, which is the same as `public` */ default_visibility?: "public" | "unlisted" | "private"; created_at: string; updated_at: string }
  ProjectList: { projects: Schemas['Project'][] }
  OwnProject: { id: string; name: string; org_id: string; created_at: string; /** seconds for which videos and images that were deleted can be restored; 0: they are gone at once */ trash_lifetime: number; /** where sizes of images have to be signed: the widths that may be had without; absent where any size may */ unsigned_widths?: number[] }
  OwnProjectList: { projects: Schemas['OwnProject'][] }
  ProjectInfo: { id: string; name: string; created_at: string; /** bytes */ storage_used: number; /** bytes */ storage_limit: number }
  NewProject: { name: string; regions?: string[]; /** `VIDEO_QUALITY_BASIC` is the same as `basic`, `VIDEO_QUALITY_SHORTS` is the same as `shorts`, `VIDEO_QUALITY_PRO` is the same as `pro` */ video_quality?: "basic" | "shorts" | "pro" | "VIDEO_QUALITY_BASIC" | "VIDEO_QUALITY_SHORTS" | "VIDEO_QUALITY_PRO"; /** `public`; `unlisted`: delivered, but in no RSS feed, and search engines are asked to pass it by; `private`: delivered to those who show a token */ default_visibility?: "public" | "unlisted" | "private" }
  ProjectNameChange: { name: string }
  VideoQualityChange: { /** `VIDEO_QUALITY_BASIC` is the same as `basic`, `VIDEO_QUALITY_SHORTS` is the same as `shorts`, `VIDEO_QUALITY_PRO` is the same as `pro` */ video_quality: "basic" | "shorts" | "pro" | "VIDEO_QUALITY_BASIC" | "VIDEO_QUALITY_SHORTS" | "VIDEO_QUALITY_PRO" }
  DefaultVisibilityChange: { /** `public`; `unlisted`: delivered, but in no RSS feed, and search engines are asked to pass it by; `private`: delivered to those who show a token */ default_visibility: "public" | "unlisted" | "private" }
  CustomDomain: { custom_domain: string }
  FailedRequest: { /** when it was answered */ at: string; /** its `x-request-id` */ request_id: string; method: string; /** the address as this description writes it */ route: string; /** the address that was asked for, without its query */ path: string; status: number; error: string; details?: string; /** the key that it came with */ key_id?: string; /** or the user */ user_id?: string; duration_ms: number }
  FailedRequestList: { data: Schemas['FailedRequest'][]; pagination: Schemas['Pagination'] }
  SigningKey: { id: string; project_id: string; name: string; /** Ed25519, SPKI as PEM */ public_key: string; created_at: string; /** PKCS #8 as PEM; shown only when it is made, and kept nowhere here */ private_key?: string }
  SigningKeyResult: { signing_key: Schemas['SigningKey'] }
  SigningKeyList: { data: Schemas['SigningKey'][]; pagination: Schemas['Pagination'] }
  NewSigningKey: { project_id: string; name: string }
  UserOrganization: { id: string; name: string; /** An owner may do everything; a member what their policies say. */ role: "owner" | "member"; permissions: string[] }
  CurrentUser: { id: string; email: string; created_at: string; updated_at: string; organizations: Schemas['UserOrganization'][] }
  Health: { status: "ok" }
  Readiness: { status: string; engines: Record<string, string> }
  WatchedSegment: { /** seconds with up to nine further digits and an `s`; at most 315576000000 seconds */ start_ms?: string; /** seconds with up to nine further digits and an `s`; at most 315576000000 seconds */ end_ms?: string; speed?: number; subtitle_language?: string; audio_language?: string; quality?: "VIDEO_QUALITY_UNSPECIFIED" | "VIDEO_QUALITY_BASIC" | "VIDEO_QUALITY_SHORTS" | "VIDEO_QUALITY_PRO"; chapter_title?: string }
  ContentView: { content_id?: string; content_type?: "MEDIA_TYPE_UNSPECIFIED" | "MEDIA_TYPE_IMAGE" | "MEDIA_TYPE_VIDEO"; feed_id?: string; post_id?: string; view_type?: "start" | "watch" | "end"; page?: "profile" | "feed" | "standalone"; /** seconds with up to nine further digits and an `s`; at most 315576000000 seconds */ watch_duration_ms?: string; /** seconds with up to nine further digits and an `s`; at most 315576000000 seconds */ video_position_ms?: string; /** seconds with up to nine further digits and an `s`; at most 315576000000 seconds */ video_total_duration_ms?: string; device_id?: string; country?: string; subtitle_language?: string; audio_language?: string; quality?: "VIDEO_QUALITY_UNSPECIFIED" | "VIDEO_QUALITY_BASIC" | "VIDEO_QUALITY_SHORTS" | "VIDEO_QUALITY_PRO"; /** at most 500, of which those count as one that go on where the one before ends and are the same in all else */ segments?: Schemas['WatchedSegment'][] }
  Engagement: { engagement_type?: string; resource_type?: string; resource_id?: string; page?: string; comment_text?: string; share_platform?: string; country?: string; device_type?: string }
  ClientError: { error_type?: string; error_code?: string; error_message?: string; stack_trace?: string; resource_type?: string; resource_id?: string; endpoint?: string; session_id?: string; device_type?: string; browser?: string; os?: string }
  Interaction: { interaction_type?: string; element_type?: string; element_id?: string; session_id?: string; page?: string; page_url?: string; search_query?: string; device_type?: string; browser?: string; scroll_depth?: number; click_x?: number; click_y?: number }
  SessionStart: { utm_source?: string; utm_campaign?: string; browser?: string; language?: string; screen_resolution?: string; platform?: string; tg_platform?: string; tg_version?: string; timezone?: string; country?: string; user_id?: string; timezone_offset?: number; color_depth?: number; touch_support?: boolean }
  /** has exactly one member beside `timestamp` */
  AnalyticsEvent: { /** not before 1970, and not more than 24 hours ahead */ timestamp: string; content_view?: Schemas['ContentView']; engagement?: Schemas['Engagement']; error?: Schemas['ClientError']; interaction?: Schemas['Interaction']; session_start?: Schemas['SessionStart'] }
  TrackEventsRequest: { events: Schemas['AnalyticsEvent'][]; user_id?: string; country?: string; city?: string; region?: string; device?: string; os?: string; os_version?: string; language?: string; browser?: string; project_id?: string }
  EventsAcknowledgement: Record<string, unknown>
  OverviewTotals: { views: number; /** different viewers of these views */ viewers: number; watch_time_ms: number; /** completions divided by views, at most 1 */ completion_rate: number }
  OverviewPoint: { timestamp: string; views: number; viewers: number; watch_time_ms: number }
  Overview: { totals: Schemas['OverviewTotals']; previous: Schemas['OverviewTotals']; /** one for each interval that the range has some of, zeros included */ points: Schemas['OverviewPoint'][] }
  DateRange: { /** `YYYY-MM-DD`, a whole UTC day, or a date-time of RFC 3339; inclusive. Without any: the last 30 days. */ start?: string; /** `YYYY-MM-DD`, a whole UTC day, or a date-time of RFC 3339; inclusive. Without any: the last 30 days. */ end?: string }
  FunnelStep: { name: string; /** one of content_view, engagement, error, interaction, session_start */ event_type: string; /** what the `page` of the event is; empty: any */ page_type?: string; /** fields of the kind or of the envelope, and what each must be, as text */ filters?: Record<string, string> }
  FunnelRequest: { range?: Schemas['DateRange']; steps: Schemas['FunnelStep'][]; /** hours from the first step within which the others must follow; 0: the whole range */ time_window?: number }
  FunnelStepResult: { step_name: string; user_count: number; conversion_rate: number; dropoff_rate: number; /** from the step before, the mean over those who got here; 0 for the first */ average_time_hours: number }
  FunnelResult: { total_users: number; completed_users: number; completion_rate: number; average_time_hours: number; steps: Schemas['FunnelStepResult'][] }
  VideoStats: { video_id: string; total_views: number; unique_viewers: number; starts: number; watches: number; completions: number; completion_rate: number; avg_watch_time_ms: number; total_watch_time_ms: number }
  PostStats: { post_id: string; total_views: number; unique_viewers: number; starts: number; watches: number; completions: number; completion_rate: number; avg_watch_time_ms: number; total_watch_time_ms: number }
  FeedStats: { feed_id: string; total_views: number; unique_viewers: number; starts: number; watches: number; completions: number; completion_rate: number; avg_watch_time_ms: number; total_watch_time_ms: number }
  TopVideos: { videos: Schemas['VideoStats'][] }
  TopPosts: { posts: Schemas['PostStats'][] }
  TopFeeds: { feeds: Schemas['FeedStats'][] }
  Heatmap: { video_id: string; total_duration_ms: number; /** for each part of the video: how often it was watched, divided by the viewers of the video */ data: number[] }
  HotSegment: { start_second: number; /** the first second that is no longer part of it */ end_second: number; /** how often it is watched, divided by the average second */ multiplier: number }
  HotSegments: { segments: Schemas['HotSegment'][] }
  DashboardPoint: { timestamp: string; views: number; unique_users: number }
  Dashboard: { points: Schemas['DashboardPoint'][] }
  EventCount: { event_type: string; count: number }
  CountryCount: { country: string; count: number }
  RecentEvent: { timestamp: string; event_type: string; /** the viewer; empty where none is known, as are the others */ user_id: string; country: string; page: string; content_id: string }
  Realtime: { timestamp: string; /** different viewers in the last five minutes */ active_users: number; /** events of the last minute */ events_per_minute: number; top_events: Schemas['EventCount'][]; top_countries: Schemas['CountryCount'][]; recent_events: Schemas['RecentEvent'][] }
  RetentionRequest: { period?: "day" | "week" | "month"; range?: Schemas['DateRange'] }
  RetentionCohort: { /** when the period begins */ cohort_date: string; /** viewers whose first event of the range is in the period */ cohort_size: number; /** the part of them that was seen in that many periods after, to the end of the range */ retention_data: number[] }
  Retention: { period: string; cohorts: Schemas['RetentionCohort'][] }
  ValueCount: { value: string; /** events that have it */ count: number }
  FilterValues: { /** those that occurred in the range, the most frequent first */ event_types: Schemas['EventCount'][]; /** what a step of a funnel can filter by: of `event_type`, or of any */ fields: string[]; /** of `field`, the most frequent first; empty where none is asked for */ values: Schemas['ValueCount'][] }
  QualityGroup: { /** the day, the country or the browser; empty where it is not known */ value: string; /** different plays that something is known of */ plays: number; failed_plays: number; /** failed plays divided by plays */ failure_rate: number; /** the time to the first picture that half of the starts do not exceed */ start_median_ms: number; /** the one that 95 of 100 do not exceed */ start_p95_ms: number; /** time stalled, divided by time stalled and watched */ stalled_share: number; /** the mean height of the picture over the time watched */ average_rung: number; /** frames dropped divided by all */ dropped_frame_rate: number }
  PlaybackQuality: { /** different plays that something is known of */ plays: number; failed_plays: number; /** failed plays divided by plays */ failure_rate: number; /** the time to the first picture that half of the starts do not exceed */ start_median_ms: number; /** the one that 95 of 100 do not exceed */ start_p95_ms: number; /** time stalled, divided by time stalled and watched */ stalled_share: number; /** the mean height of the picture over the time watched */ average_rung: number; /** frames dropped divided by all */ dropped_frame_rate: number; /** where `by` is given: days in order, others with the most plays first; at most 1,000 */ groups: Schemas['QualityGroup'][] }
  VideoPlaybackQuality: { video_id: string; /** different plays that something is known of */ plays: number; failed_plays: number; /** failed plays divided by plays */ failure_rate: number; /** the time to the first picture that half of the starts do not exceed */ start_median_ms: number; /** the one that 95 of 100 do not exceed */ start_p95_ms: number; /** time stalled, divided by time stalled and watched */ stalled_share: number; /** the mean height of the picture over the time watched */ average_rung: number; /** frames dropped divided by all */ dropped_frame_rate: number; /** where `by` is given: days in order, others with the most plays first; at most 1,000 */ groups: Schemas['QualityGroup'][] }
  ViewerDeletion: { viewer_id: string; /** failed: it was tried for an hour; ask for it again */ status: "pending" | "done" | "failed"; requested_at: string; /** where it is done */ done_at?: string }
  /** the provider’s payload, exactly as it was signed */
  ProviderPayload: Record<string, unknown>
  WebhookReceipt: { /** `duplicate`: this event was received before, and nothing is done again */ status: "received" | "duplicate" }
  BillingPlan: { id: "free" | "pro" | "custom" | "pay_as_you_go"; /** absent: no limit */ requests_per_hour?: number; /** absent: no limit */ requests_per_minute?: number; /** bytes for each project */ storage_limit: number }
  BillingPlanList: { plans: Schemas['BillingPlan'][] }
  BillingSubscription: { org_id: string; plan: "free" | "pro" | "custom" | "pay_as_you_go"; /** `none`: there is no subscription. `unpaid`: a payment is missing, and its grace is over */ status: "none" | "trialing" | "active" | "past_due" | "unpaid" | "paused" | "incomplete" | "canceled"; provider?: string; /** the provider’s own id */ subscription_id?: string; period_start?: string; period_end?: string; started_at?: string; /** until when the plan outlasts a failed payment */ grace_ends_at?: string; /** when it ends, or has ended */ ends_at?: string }
  ProjectStorage: { project_id: string; name: string; /** bytes */ storage_used: number; /** bytes */ storage_limit: number }
  StorageUsage: { org_id: string; plan: "free" | "pro" | "custom" | "pay_as_you_go"; /** bytes of all projects listed */ storage_used: number; projects: Schemas['ProjectStorage'][] }
  SubscriptionChange: { kind: "created" | "updated" | "payment_failed" | "payment_succeeded" | "ended"; org_id?: string; plan?: "free" | "pro" | "custom" | "pay_as_you_go"; status?: "trialing" | "active" | "past_due" | "unpaid" | "paused" | "incomplete" | "canceled"; period_start?: string; period_end?: string; ends_at?: string | null }
  BillingEvent: { /** the provider’s own */ id: string; provider: string; /** the provider’s word for it */ type: string; /** the provider’s own id */ subscription_id: string; occurred_at: string; received_at: string; change: Schemas['SubscriptionChange'] }
  BillingEventList: { data: Schemas['BillingEvent'][]; pagination: Schemas['Pagination'] }
  BillingEventDetails: { /** the provider’s own */ id: string; provider: string; /** the provider’s word for it */ type: string; /** the provider’s own id */ subscription_id: string; occurred_at: string; received_at: string; change: Schemas['SubscriptionChange']; /** the JSON, exactly as it was signed */ body: string }
  UsageNow: { /** bytes */ storage_used: number; videos: number; /** without posters */ images: number }
  UsageTotal: { date: string; /** bytes */ storage_used: number; videos: number; /** without posters */ images: number }
  UsageSample: { date: string; plan: "free" | "pro" | "custom" | "pay_as_you_go"; /** bytes, as the plan of that day allowed */ storage_limit: number; /** bytes */ storage_used: number; videos: number; /** without posters */ images: number }
  ProjectUsageHistory: { project_id: string; name: string; now: Schemas['UsageNow']; /** one for each day, from when the project was there */ samples: Schemas['UsageSample'][] }
  UsageHistory: { org_id: string; plan: "free" | "pro" | "custom" | "pay_as_you_go"; /** bytes for each project, as the plan allows now */ storage_limit: number; /** all projects of each day together, those that were deleted since included */ totals: Schemas['UsageTotal'][]; projects: Schemas['ProjectUsageHistory'][]; pagination: Schemas['Pagination'] }
  ImportProgress: { /** bytes that would survive a crash */ received: number; /** bytes of the whole file, where its server says so */ size?: number }
  UploadReceipt: { /** bytes that have arrived */ size: number }
  File: { id: string; /** of the original file, until it is given another */ name: string; /** what is served */ format: string; size: number; /** `ready`: its url serves it now */ status: "preparing" | "uploading" | "uploaded" | "processing" | "ready" | "error"; url: string; project_id: string; created_at: string; updated_at: string }
  FocalPoint: { x: number; y: number }
  Image: { id: string; file: Schemas['File']; width: number; height: number; /** base64 */ thumbhash: string; attached_to_video: boolean; /** absent where there is none */ description?: string; focal_point?: Schemas['FocalPoint']; /** absent where nobody has set it, which is the same as `public` */ visibility?: "public" | "unlisted" | "private"; /** what the app keeps about it, as it was sent; absent where there is nothing */ metadata?: Record<string, string> }
  ImageList: { data: Schemas['Image'][]; pagination: Schemas['Pagination'] }
  NewImage: { file_name: string; /** What the client means to send; the content decides. */ image_format?: "jpg" | "png" | "webp"; /** bytes, where they are known: the address takes no more. With media in S3 it is then one of S3, which takes no other number */ file_size?: number; /** asks for an address that speaks tus also where others are those of an S3 server */ resumable?: boolean; /** the same as `file_name` */ name?: string; /** the same as `image_format` */ format?: "jpg" | "png" | "webp" }
  ImageChanges: { name?: string; description?: string | null; /** what stays in view where the image is cut, from its left and top; null: its middle */ focal_point?: Schemas['FocalPoint'] | null; /** `public`; `unlisted`: delivered, but in no RSS feed, and search engines are asked to pass it by; `private`: delivered to those who show a token */ visibility?: "public" | "unlisted" | "private"; /** all of it, in place of what there was: at most 50 keys, each with text; null takes it away */ metadata?: Record<string, string> | null }
  ImageUpload: { image_id: string; presigned_url: string; /** Unix time in seconds */ upload_expires: number }
  ImageImportRequest: { /** http or https, of a server that everybody can reach */ url: string; file_name?: string }
  ImageImport: { image_id: string; /** Unix time in seconds until when it is tried */ upload_expires: number; /** of its file; its `progress` tells the rest */ status: "uploading" }
  ImageProgress: { image_id: string; status: "processing" | "complete" | "failed"; /** of a failure */ reason?: string; import?: Schemas['ImportProgress'] }
  ImageCompletion: { image_id: string; attached_to_video?: boolean }
  SizeOptions: { w?: number; h?: number; /** pixels of a screen for each of `w` and `h` */ dpr?: number; /** with `w` and `h`: inside of them, filling them, or stretched to them */ fit?: "cover" | "contain" | "fill"; /** with `fit=cover`, what stays in view: a side or a corner, `center`, `smart` for what draws the eye, or `x,y` from 0 to 1; the image’s focal point, or else its middle, unless told */ gravity?: string; /** clockwise */ rotate?: 0 | 90 | 180 | 270; /** left and right, top and bottom, or both; after `rotate` */ flip?: "h" | "v" | "both"; /** takes away a border of one colour that differs by no more than this; 10 suits most */ trim?: number; /** radius in pixels */ blur?: number; /** radius in pixels */ sharpen?: number; /** a colour behind what is transparent, six hexadecimal digits */ background?: string; /** what moves goes on moving in `webp`, `gif` and `auto` */ format?: "auto" | "avif" | "webp" | "jpg" | "png" | "gif"; q?: number; /** in AVIF and WebP */ lossless?: boolean }
  ImagePreset: { /** what addresses ask for it by: `?preset=name` */ name: string; options: Schemas['SizeOptions']; created_at: string; updated_at: string }
  ImagePresetList: { data: Schemas['ImagePreset'][]; pagination: Schemas['Pagination'] }
  ImageSigningSecret: { secret: string; created_at: string }
  Chapter: { title: string; start_time_sec: number; end_time_sec: number; /** the chapter’s own length, `MM:SS` */ duration_label: string }
  Video: { id: string; file: Schemas['File']; poster: Schemas['Image']; /** seconds */ duration: number; /** as displayed */ width: number; /** as displayed */ height: number; /** bits per second */ bitrate: number; /** of the source */ codec: string; /** pictures a second of the source, as a reduced rational: `30`, `30000/1001`; the rate that the file declares where its pictures keep to it, else their number over the time that they take. Interlaced ones count as they are shown, two fields as one picture */ framerate: string; hdr: boolean; /** the organization’s plan when the video was made */ plan_type: "free" | "pro" | "custom" | "pay_as_you_go"; chapters: Schemas['Chapter'][]; /** absent where there is none */ description?: string; /** absent where nobody has set it, which is the same as `public` */ visibility?: "public" | "unlisted" | "private"; /** what the app keeps about it, as it was sent; absent where there is nothing */ metadata?: Record<string, string>; created_at: string }
  VideoList: { data: Schemas['Video'][]; pagination: Schemas['Pagination'] }
  NewVideo: { file_name: string; /** `VIDEO_QUALITY_BASIC` is the same as `basic`, `VIDEO_QUALITY_SHORTS` is the same as `shorts`, `VIDEO_QUALITY_PRO` is the same as `pro` */ video_quality?: "basic" | "shorts" | "pro" | "VIDEO_QUALITY_BASIC" | "VIDEO_QUALITY_SHORTS" | "VIDEO_QUALITY_PRO"; /** What the client means to send; the content decides. */ image_format?: "jpg" | "png" | "webp"; /** bytes, where they are known: the address takes no more. With media in S3 it is then one of S3, which takes no other number */ file_size?: number; /** asks for an address that speaks tus also where others are those of an S3 server */ resumable?: boolean }
  VideoChanges: { name?: string; description?: string | null; /** `public`; `unlisted`: delivered, but in no RSS feed, and search engines are asked to pass it by; `private`: delivered to those who show a token */ visibility?: "public" | "unlisted" | "private"; /** all of it, in place of what there was: at most 50 keys, each with text; null takes it away */ metadata?: Record<string, string> | null }
  VideoUpload: { video_id: string; video_presigned_url: string; poster_id: string; /** where nothing is sent, a frame becomes the poster */ poster_presigned_url: string; /** Unix time in seconds */ upload_expires: number }
  ThumbnailForm: { thumbnail: string }
  NewChapter: { title: string; start_time_sec: number }
  NewChapters: { chapters: Schemas['NewChapter'][] }
  VideoChapters: { video_id: string; chapters: Schemas['Chapter'][] }
  VideoCompletion: { video_id: string }
  NewClip: { /** seconds */ start: number; /** seconds */ end: number; title?: string }
  RenditionProgress: { name: string; kind: "video" | "audio"; segments_made: number; segments: number; width?: number; height?: number; language_code?: string }
  VideoProgress: { video_id: string; /** the video plays while it is processing */ status: "processing" | "complete" | "failed"; /** of a failure */ reason?: string; /** what of the file is not offered and why, such as a sound that cannot be decoded */ notes?: string[]; /** of the segments; below 100 while it is processing */ percent: number; renditions: Schemas['RenditionProgress'][]; import?: Schemas['ImportProgress'] }
  VideoImportRequest: { /** http or https, of a server that everybody can reach */ url: string; file_name?: string; /** `VIDEO_QUALITY_BASIC` is the same as `basic`, `VIDEO_QUALITY_SHORTS` is the same as `shorts`, `VIDEO_QUALITY_PRO` is the same as `pro` */ video_quality?: "basic" | "shorts" | "pro" | "VIDEO_QUALITY_BASIC" | "VIDEO_QUALITY_SHORTS" | "VIDEO_QUALITY_PRO" }
  VideoImport: { video_id: string; poster_id: string; /** where nothing is sent, a frame becomes the poster */ poster_presigned_url: string; /** Unix time in seconds until when it is tried */ upload_expires: number; /** of its file; its `progress` tells the rest */ status: "uploading" }
  Subtitle: { id: string; video_id: string; /** BCP 47 */ language_code: string; label: string; /** file name */ name: string; /** of the file as it was sent */ size: number; url: string; created_at: string }
  AudioTrack: { id: string; video_id: string; /** BCP 47 */ language_code: string; label: string; /** file name */ name: string; /** of the file as it was sent */ size: number; url: string; created_at: string; /** of the file as it was sent */ format: string }
  Subtitles: Schemas['Subtitle'][]
  SubtitleList: { data: Schemas['Subtitle'][] }
  AudioTracks: Schemas['AudioTrack'][]
  AudioTrackList: { data: Schemas['AudioTrack'][] }
  LabelledFile: { file: string; label?: string }
  LabelledFiles: { files: string[]; /** BCP 47, separated by commas */ language_codes: string; /** separated by commas; one with commas inside can be sent by repeating the field */ labels: string }
  Deletion: { message: string; status: string }
  Language: { /** BCP 47 */ code: string; name: string }
  Languages: Schemas['Language'][]
  NewToken: { /** seconds for which it opens; a film that begins before goes on as long as its token does */ ttl?: number; /** the app’s own name for whoever watches; carried in the token */ viewer?: string; /** of pages that may show it, `https://app.example.com`; without it, all */ origins?: string[] }
  NewPlaybackToken: { /** seconds for which it opens; a film that begins before goes on as long as its token does */ ttl?: number; /** the app’s own name for whoever watches; carried in the token */ viewer?: string; /** of pages that may show it, `https://app.example.com`; without it, all */ origins?: string[]; /** lines of the largest rendition that it opens, 720 for 720p; the smallest is always open */ max_height?: number }
  PlaybackToken: { /** a JSON Web Token, for `?token=` of every address of the media */ token: string; expires_at: string }
  Feed: { id: string; project_id: string; name: string; description: string; /** whether posts may show images */ allow_images: boolean; /** whether posts may show videos */ allow_videos: boolean; has_likes: boolean; has_shares: boolean; has_comments: boolean; /** absent where it is private */ visibility?: "public"; created_at: string; updated_at: string }
  FeedList: { data: Schemas['Feed'][]; pagination: Schemas['Pagination'] }
  NewFeed: { name: string; description?: string; allow_images?: boolean; allow_videos?: boolean; has_likes?: boolean; has_shares?: boolean; has_comments?: boolean; /** `public`: everybody may list its posts, also as RSS and in an embedded page. `private`, the default: who has a key. */ visibility?: "public" | "private" }
  FeedChanges: { name?: string; description?: string; allow_images?: boolean; allow_videos?: boolean; has_likes?: boolean; has_shares?: boolean; has_comments?: boolean; /** `public`: everybody may list its posts, also as RSS and in an embedded page. `private`, the default: who has a key. */ visibility?: "public" | "private" }
  NewContent: { content_ids: (string | string)[]; /** what the ids may be of */ content_type: "video" | "image" | "mixed"; creator_id?: string; description?: string }
  PostFile: { id: string; /** of the original file, until it is given another */ name: string; /** what is served */ format: string; size: number; /** `ready`: its url serves it now */ status: "preparing" | "uploading" | "uploaded" | "processing" | "ready" | "error"; url: string; project_id: string }
  PostImage: { id: string; file: Schemas['PostFile']; width: number; height: number; /** base64 */ thumbhash: string; attached_to_video: boolean; focal_point?: Schemas['FocalPoint']; /** absent where nobody has set it, which is the same as `public` */ visibility?: "public" | "unlisted" | "private" }
  PostVideo: { id: string; file: Schemas['PostFile']; poster: Schemas['PostImage']; /** seconds */ duration: number; /** as displayed */ width: number; /** as displayed */ height: number; /** bits per second */ bitrate: number; /** of the source */ codec: string; /** pictures a second of the source, as a reduced rational: `30`, `30000/1001`; the rate that the file declares where its pictures keep to it, else their number over the time that they take. Interlaced ones count as they are shown, two fields as one picture */ framerate: string; hdr: boolean; /** the organization’s plan when the video was made */ plan_type: "free" | "pro" | "custom" | "pay_as_you_go"; chapters: Schemas['Chapter'][]; /** absent where nobody has set it, which is the same as `public` */ visibility?: "public" | "unlisted" | "private"; created_at: string }
  Post: { id: string; feed_id: string; creator_id: string; description: string; type: "video" | "image"; image_id?: string; image?: Schemas['PostImage']; video_id?: string; video?: Schemas['PostVideo']; /** the organization’s plan when the post was made */ plan_type: "free" | "pro" | "custom" | "pay_as_you_go"; /** of a draft: why it could not be published when that was last tried */ failure?: string; created_at: string; updated_at: string }
  ProjectPost: { id: string; feed_id: string; creator_id: string; description: string; type: "video" | "image"; image_id?: string; image?: Schemas['PostImage']; video_id?: string; video?: Schemas['PostVideo']; /** the organization’s plan when the post was made */ plan_type: "free" | "pro" | "custom" | "pay_as_you_go"; /** of a draft: why it could not be published when that was last tried */ failure?: string; created_at: string; updated_at: string; /** false: a draft, which only the project’s own people see */ published: boolean }
  PostPage: { data: Schemas['Post'][]; pagination: Schemas['CursorPagination'] }
  ProjectPostPage: { data: Schemas['ProjectPost'][]; pagination: Schemas['CursorPagination'] }
  AddedContent: { feed_id: string; data: Schemas['Post'][] }
  NewPost: { content_type: "image" | "video"; file_name: string; /** What the client means to send; the content decides. */ format: string; creator_id?: string; description?: string; /** Of an image or a poster, likewise. */ image_format?: string; /** `VIDEO_QUALITY_BASIC` is the same as `basic`, `VIDEO_QUALITY_SHORTS` is the same as `shorts`, `VIDEO_QUALITY_PRO` is the same as `pro` */ video_quality?: "basic" | "shorts" | "pro" | "VIDEO_QUALITY_BASIC" | "VIDEO_QUALITY_SHORTS" | "VIDEO_QUALITY_PRO"; /** bytes, where they are known: the address takes no more. With media in S3 it is then one of S3, which takes no other number */ file_size?: number; /** asks for an address that speaks tus also where others are those of an S3 server */ resumable?: boolean }
  PostUpload: { post_id: string; content_id: string; content_upload_url: string; /** of a video */ poster_id?: string; /** of a video */ poster_upload_url?: string; /** Unix time in seconds */ upload_expires: number }
  PostCompletion: { post_id: string }
  PostChanges: { description?: string; creator_id?: string; /** false makes a draft of it; true publishes a draft whose content is there */ published?: boolean }
  PostMove: { before?: string; after?: string }
  MediaItem: { /** of the video or the image */ id: string; kind: "video" | "image"; name: string; /** absent where there is none */ description?: string; /** absent where nobody has set it, which is the same as `public` */ visibility?: "public" | "unlisted" | "private"; /** what the app keeps about it, as it was sent; absent where there is nothing */ metadata?: Record<string, string>; /** `ready`: it is served; `error`: the rest of a video could not be made */ status: "ready" | "error"; /** bytes */ size: number; /** of a video, in seconds */ duration?: number; /** as displayed */ width: number; /** as displayed */ height: number; /** base64; of a video, that of its poster */ thumbhash?: string; /** of a video: how much of its segments is made; 100 once all of it is */ percent?: number; /** of the content: an image, or a playlist */ url: string; /** of a small picture; other sizes by another `w` */ thumbnail_url: string; created_at: string }
  MediaPage: { data: Schemas['MediaItem'][]; pagination: Schemas['CursorPagination'] }
  UploadUnderWay: { /** of the video or the image that it becomes: to complete it or to delete it */ id: string; kind: "video" | "image"; post_id?: string; name: string; /** `processing`: it is being completed; `failed`: it could not be imported */ status: "uploading" | "processing" | "failed"; /** of a failure */ reason?: string; /** bytes that have arrived; of one PUT, none before all have */ received: number; /** bytes of the whole file, where they are known */ size?: number; created_at: string; /** Unix time in seconds */ upload_expires: number }
  UploadPage: { data: Schemas['UploadUnderWay'][]; pagination: Schemas['Pagination'] }
  MediaUse: { feed_id: string; feed_name: string; post_id: string; status: "published" | "draft"; /** what the post is dated; absent for a draft */ published_at?: string }
  MediaUses: { data: Schemas['MediaUse'][]; pagination: Schemas['Pagination'] }
  Oembed: { version: "1.0"; type: "video" | "photo"; title: string; /** the creator of the post */ author_name?: string; provider_name: string; provider_url: string; /** seconds */ cache_age: number; /** absent where the media is private */ thumbnail_url?: string; thumbnail_width?: number; thumbnail_height?: number; width: number; height: number; /** of a video: an iframe */ html?: string; /** of a photo: the picture */ url?: string }
  Webhook: { id: string; project_id: string; url: string; /** none: all of them, those to come too */ kinds: ("video.ready" | "video.processed" | "video.failed" | "video.deleted" | "image.ready" | "image.deleted" | "post.published" | "post.deleted" | "upload.expired" | "plan.changed" | "key.rotated")[]; description: string; enabled: boolean; /** why it is switched off */ disabled_reason?: string; /** absent where the last delivery was taken */ failing_since?: string; created_at: string; updated_at: string; /** what deliveries are signed with; shown only when it is made */ secret?: string }
  WebhookResult: { webhook: Schemas['Webhook'] }
  WebhookList: { data: Schemas['Webhook'][]; pagination: Schemas['Pagination'] }
  NewWebhook: { project_id: string; /** http or https; https is what to use outside of development */ url: string; kinds?: ("video.ready" | "video.processed" | "video.failed" | "video.deleted" | "image.ready" | "image.deleted" | "post.published" | "post.deleted" | "upload.expired" | "plan.changed" | "key.rotated")[]; description?: string }
  WebhookChanges: { /** http or https; https is what to use outside of development */ url?: string; kinds?: ("video.ready" | "video.processed" | "video.failed" | "video.deleted" | "image.ready" | "image.deleted" | "post.published" | "post.deleted" | "upload.expired" | "plan.changed" | "key.rotated")[]; description?: string; /** false holds it back; true also takes back that it was switched off */ enabled?: boolean }
  WebhookSecretRotation: { /** how long deliveries are signed with the old secret as well */ grace_seconds?: number }
  WebhookTest: { kind?: "video.ready" | "video.processed" | "video.failed" | "video.deleted" | "image.ready" | "image.deleted" | "post.published" | "post.deleted" | "upload.expired" | "plan.changed" | "key.rotated" }
  WebhookMessage: { id: string; type: "video.ready" | "video.processed" | "video.failed" | "video.deleted" | "image.ready" | "image.deleted" | "post.published" | "post.deleted" | "upload.expired" | "plan.changed" | "key.rotated"; /** when it happened */ timestamp: string; data: Record<string, unknown> }
  WebhookMessagePage: { data: Schemas['WebhookMessage'][]; /** for what happens after these; the same where there are none */ next_cursor: string }
  WebhookRequest: { url: string; headers: Record<string, string>; body: string }
  WebhookResponse: { status: number; headers: Record<string, string>; /** its first 4 KiB */ body: string }
  WebhookAttempt: { started_at: string; duration_ms: number; request: Schemas['WebhookRequest']; response?: Schemas['WebhookResponse']; /** why there is no answer */ error?: string }
  WebhookDelivery: { id: string; message: Schemas['WebhookMessage']; state: "pending" | "delivered" | "failed"; /** how often it was tried */ attempts: number; next_attempt_at?: string; created_at: string; last_try?: Schemas['WebhookAttempt'] }
  WebhookDeliveryDetails: { id: string; message: Schemas['WebhookMessage']; state: "pending" | "delivered" | "failed"; /** how often it was tried */ attempts: number; next_attempt_at?: string; created_at: string; /** the latest first */ tries: Schemas['WebhookAttempt'][] }
  WebhookDeliveryList: { data: Schemas['WebhookDelivery'][]; pagination: Schemas['Pagination'] }
  WebhookReplay: { since?: string; until?: string; state?: "pending" | "delivered" | "failed" }
  WebhookReplayed: { replayed: number }
}

/** What each operation is given and answers, by method and address. */
export interface Operations {
  get: {
    /** Whether the process answers */
    '/healthz': { answer: Schemas['Health'] }
    /** Whether the service can do its work: its engines answer and it is not stopping */
    '/readyz': { answer: Schemas['Readiness'] }
    /** Who is signed in, and where they may do what */
    '/auth/v1/users/current': { answer: Schemas['CurrentUser'] }
    /** Where the user is signed in */
    '/auth/v1/sessions': { query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "desc" }; answer: Schemas['SessionList'] }
    /** How people can sign in here */
    '/auth/v1/browser/options': { answer: Schemas['SignInOptions'] }
    /** Lead a browser to an OpenID issuer, to sign in there */
    '/auth/v1/browser/openid/{issuer_id}': { path: { issuer_id: string }; answer: undefined }
    /** Where an OpenID issuer leads a browser back to */
    '/auth/v1/browser/openid/{issuer_id}/callback': { path: { issuer_id: string }; query?: { state?: string; code?: string; iss?: string }; answer: undefined }
    /** List the API keys of an organization */
    '/organizations/{org_id}/api-keys/v1': { path: { org_id: string }; query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "desc" }; answer: Schemas['ApiKeyList'] }
    /** List the signing keys of an organization’s projects */
    '/organizations/{org_id}/signing-keys/v1': { path: { org_id: string }; query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "desc" }; answer: Schemas['SigningKeyList'] }
    /** List the requests of an organization that failed last */
    '/organizations/{org_id}/requests/v1/failed': { path: { org_id: string }; query?: { limit?: number; offset?: number; sort?: "at"; order?: "desc" }; answer: Schemas['FailedRequestList'] }
    /** The current project with its storage */
    '/project': { answer: Schemas['ProjectInfo'] }
    /** List the projects of an organization */
    '/organization/{orgId}/projects': { path: { orgId: string }; query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "asc" }; answer: Schemas['ProjectList'] }
    /** List the projects that whoever is signed in may do anything in */
    '/auth/v1/users/current/projects': { query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "asc" }; answer: Schemas['OwnProjectList'] }
    /** Show a project */
    '/organizations/{org_id}/projects/v1/{project_id}': { path: { org_id: string; project_id: string }; answer: Schemas['Project'] }
    /** Every permission there is */
    '/auth/v1/policies/permissions': { query?: { limit?: number; offset?: number; sort?: "offset"; order?: "asc" }; answer: Schemas['PermissionList'] }
    /** List the policies of an organization */
    '/auth/v1/memberships/{org_id}/policies': { path: { org_id: string }; query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "asc" }; answer: Schemas['PolicyList'] }
    /** Show a policy */
    '/auth/v1/memberships/{org_id}/policies/{policy_id}': { path: { org_id: string; policy_id: string }; answer: Schemas['Policy'] }
    /** List whom a policy is attached to */
    '/auth/v1/memberships/{org_id}/policies/{policy_id}/attachments': { path: { org_id: string; policy_id: string }; query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "asc" }; answer: Schemas['PolicyAttachmentList'] }
    /** List the members of an organization and the open invitations */
    '/auth/v1/memberships/{org_id}/members': { path: { org_id: string }; query?: { limit?: number; offset?: number; sort?: "user_id"; order?: "asc" }; answer: Schemas['MemberList'] }
    /** List the open invitations of an organization */
    '/auth/v1/memberships/{org_id}/invitations': { path: { org_id: string }; query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "asc" }; answer: Schemas['InvitationList'] }
    /** List who changed which key, member, policy, plan, project, signing key, webhook or secret for sizes of images, the latest first */
    '/organizations/{org_id}/audit/v1': { path: { org_id: string }; query?: { limit?: number; offset?: number; cursor?: string; actor?: string; action?: "key.created" | "key.rotated" | "key.revoked" | "member.invited" | "member.invitation_withdrawn" | "member.joined" | "member.role_changed" | "member.status_changed" | "member.removed" | "policy.created" | "policy.changed" | "policy.deleted" | "policy.attached" | "policy.detached" | "plan.changed" | "project.created" | "project.changed" | "project.deleted" | "project.image_secret_rotated" | "signing_key.created" | "signing_key.deleted" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "webhook.secret_rotated"; resource?: string }; answer: Schemas['AuditPage'] }
    /** List the images of the project, newest first where nothing else is asked for */
    '/images': { query?: { limit?: number; offset?: number; q?: string; visibility?: "public" | "unlisted" | "private"; status?: "ready" | "error" | "processing" | "complete"; attached_to_video?: boolean; sort?: "created_at" | "name" | "size" | "updated_at"; order?: "asc" | "desc" }; answer: Schemas['ImageList'] }
    /** Show an image */
    '/images/{imageId}': { path: { imageId: string }; answer: Schemas['Image'] }
    /** Tell how far an image is that the service fetches */
    '/images/{imageId}/progress': { path: { imageId: string }; answer: Schemas['ImageProgress'] }
    /** List the presets of the project: sizes of images that have a name */
    '/images/presets': { query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "desc" }; answer: Schemas['ImagePresetList'] }
    /** Show what the project signs sizes of images by */
    '/images/signing-secret': { answer: Schemas['ImageSigningSecret'] }
    /** List the videos of the project; search and filter them */
    '/videos': { query?: { limit?: number; offset?: number; q?: string; visibility?: "public" | "unlisted" | "private"; status?: "ready" | "error" | "processing" | "complete"; sort?: "created_at" | "name" | "size" | "updated_at" | "duration"; order?: "asc" | "desc" }; answer: Schemas['VideoList'] }
    /** List languages to offer for subtitles and audio tracks; others are taken as well */
    '/videos/languages': { query?: { limit?: number; offset?: number; sort?: "name"; order?: "asc" }; answer: Schemas['Languages'] }
    /** Show a video */
    '/videos/{videoId}': { path: { videoId: string }; answer: Schemas['Video'] }
    /** List the subtitles of a video, in the order that players offer them in */
    '/videos/{videoId}/subtitles': { path: { videoId: string }; query?: { limit?: number; offset?: number; sort?: "position"; order?: "asc" }; answer: Schemas['SubtitleList'] }
    /** List the audio tracks that were added to a video, in the order that players offer them in */
    '/videos/{videoId}/audio-tracks': { path: { videoId: string }; query?: { limit?: number; offset?: number; sort?: "position"; order?: "asc" }; answer: Schemas['AudioTrackList'] }
    /** List the chapters of a video */
    '/videos/{videoId}/chapters': { path: { videoId: string }; answer: Schemas['VideoChapters'] }
    /** Tell how much of a video is made */
    '/videos/{videoId}/progress': { path: { videoId: string }; answer: Schemas['VideoProgress'] }
    /** Show a picture of a video: its poster, or the one at a time */
    '/videos/{videoId}/thumbnail': { path: { videoId: string }; query?: { time?: number; width?: number; height?: number; format?: "jpg" | "png" | "webp" | "avif" }; answer: Blob }
    /** Previews for a seek bar: WebVTT whose cues are parts of sprite sheets */
    '/videos/{videoId}/storyboard.vtt': { path: { videoId: string }; query?: { token?: string }; answer: string }
    /** Read the published posts of a public feed, newest first, without credentials */
    '/posts/v1/feeds/{feedId}': { path: { feedId: string }; query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "desc"; cursor?: string; creator_id?: string }; answer: Schemas['PostPage'] }
    /** Read a published post, without credentials */
    '/posts/v1/feeds/{feedId}/{postId}': { path: { feedId: string; postId: string }; answer: Schemas['Post'] }
    /** List the posts of a feed, or its drafts */
    '/posts/v1/projects/{projectId}/feeds/{feedId}/posts': { path: { projectId: string; feedId: string }; query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "desc"; cursor?: string; creator_id?: string; status?: "published" | "draft" }; answer: Schemas['ProjectPostPage'] }
    /** Read posts of any feeds of the project by their ids, or look for them */
    '/posts/v1/projects/{projectId}/posts': { path: { projectId: string }; query?: { ids?: string; q?: string; limit?: number; offset?: number }; answer: Schemas['ProjectPostPage'] }
    /** Read a post, also while it is a draft */
    '/posts/v1/projects/{projectId}/feeds/{feedId}/posts/{postId}': { path: { projectId: string; feedId: string; postId: string }; answer: Schemas['ProjectPost'] }
    /** List the feeds of the project, newest first */
    '/feeds': { query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "desc" }; answer: Schemas['FeedList'] }
    /** Read the published posts of a feed, newest first */
    '/feeds/{feedId}': { path: { feedId: string }; query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "desc"; cursor?: string; creator_id?: string }; answer: Schemas['PostPage'] }
    /** Show a feed itself; its plain address answers its posts */
    '/feeds/{feedId}/info': { path: { feedId: string }; answer: Schemas['Feed'] }
    /** Read what one creator has published in a feed, newest first */
    '/feeds/{feedId}/creators/{creatorId}': { path: { feedId: string; creatorId: string }; query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "desc"; cursor?: string }; answer: Schemas['PostPage'] }
    /** Read a published post */
    '/feeds/{feedId}/{postId}': { path: { feedId: string; postId: string }; answer: Schemas['Post'] }
    /** A published post as a page for an iframe, with the player */
    '/embed/{feedId}/{postId}': { path: { feedId: string; postId: string }; query?: { autoplay?: "" | "0" | "1" | "false" | "true"; muted?: "" | "0" | "1" | "false" | "true"; loop?: "" | "0" | "1" | "false" | "true"; start?: number; captions?: string; token?: string }; answer: string }
    /** A public feed as a page for an iframe, to be swiped through */
    '/embed/{feedId}': { path: { feedId: string }; answer: string }
    /** Describe an embedded page by oEmbed 1.0 */
    '/oembed': { query: { url: string; maxwidth?: number; maxheight?: number; format?: string }; answer: Schemas['Oembed'] }
    /** The newest posts of a public feed as RSS 2.0 */
    '/feeds/{feedId}/rss': { path: { feedId: string }; answer: Blob }
    /** The newest videos of a public feed as a podcast */
    '/feeds/{feedId}/podcast': { path: { feedId: string }; answer: Blob }
    /** List videos and images of the project in one list: search, filter and sort them */
    '/media': { query?: { limit?: number; offset?: number; cursor?: string; ids?: string; q?: string; visibility?: "public" | "unlisted" | "private"; status?: "ready" | "error" | "processing" | "complete"; kind?: "video" | "image"; min_duration?: number; max_duration?: number; min_size?: number; max_size?: number; created_after?: string; created_before?: string; feed_id?: string; sort?: "created_at" | "name" | "size" | "duration"; order?: "asc" | "desc" }; answer: Schemas['MediaPage'] }
    /** List what was begun and not completed yet, newest first, with how much of it has arrived */
    '/uploads': { query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "desc"; kind?: "video" | "image" }; answer: Schemas['UploadPage'] }
    /** List the posts that show a video, newest first */
    '/videos/{videoId}/uses': { path: { videoId: string }; query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "desc" }; answer: Schemas['MediaUses'] }
    /** List the posts that show an image, newest first */
    '/images/{imageId}/uses': { path: { imageId: string }; query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "desc" }; answer: Schemas['MediaUses'] }
    /** The videos with the most views */
    '/analytics/v1/top/videos': { query?: { limit?: string; offset?: number; start?: string; end?: string; project_id?: string; org_id?: string }; answer: Schemas['TopVideos'] }
    /** The posts with the most views, of all feeds or of one */
    '/analytics/v1/top/posts': { query?: { feed_id?: string; limit?: string; offset?: number; start?: string; end?: string; project_id?: string; org_id?: string }; answer: Schemas['TopPosts'] }
    /** The feeds with the most views */
    '/analytics/v1/top/feeds': { query?: { limit?: string; offset?: number; start?: string; end?: string; project_id?: string; org_id?: string }; answer: Schemas['TopFeeds'] }
    /** The figures of a video; zeros where nothing is known of it */
    '/analytics/v1/videos/{video_id}/stats': { path: { video_id: string }; query?: { start?: string; end?: string; project_id?: string; org_id?: string }; answer: Schemas['VideoStats'] }
    /** The figures of a post; zeros where nothing is known of it */
    '/analytics/v1/posts/{post_id}/stats': { path: { post_id: string }; query?: { start?: string; end?: string; project_id?: string; org_id?: string }; answer: Schemas['PostStats'] }
    /** The figures of a feed; zeros where nothing is known of it */
    '/analytics/v1/feeds/{feed_id}/stats': { path: { feed_id: string }; query?: { start?: string; end?: string; project_id?: string; org_id?: string }; answer: Schemas['FeedStats'] }
    /** How often each part of a video was watched */
    '/analytics/v1/videos/{video_id}/heatmap': { path: { video_id: string }; query?: { buckets?: number; start?: string; end?: string; project_id?: string; org_id?: string }; answer: Schemas['Heatmap'] }
    /** The parts of a video that are watched at least one and a half times as often as the average */
    '/analytics/v1/videos/{video_id}/hot-segments': { path: { video_id: string }; query?: { start?: string; end?: string; project_id?: string; org_id?: string }; answer: Schemas['HotSegments'] }
    /** How well videos played: time to start, stalls, failures, rungs */
    '/analytics/v1/quality': { query?: { by?: "day" | "country" | "browser"; start?: string; end?: string; project_id?: string; org_id?: string }; answer: Schemas['PlaybackQuality'] }
    /** How well a video played; zeros where nothing is known of it */
    '/analytics/v1/videos/{video_id}/quality': { path: { video_id: string }; query?: { by?: "day" | "country" | "browser"; start?: string; end?: string; project_id?: string; org_id?: string }; answer: Schemas['VideoPlaybackQuality'] }
    /** Views, viewers, time watched and completion, with the period before, and over time */
    '/analytics/v1/overview': { query?: { interval?: "hour" | "day" | "week" | "month"; video_id?: string; feed_id?: string; country?: string; start?: string; end?: string; project_id?: string; org_id?: string }; answer: Schemas['Overview'] }
    /** What there is to ask funnels for: event types, fields, and the values of one */
    '/analytics/v1/values': { query?: { field?: string; event_type?: "content_view" | "engagement" | "error" | "interaction" | "session_start"; q?: string; limit?: number; start?: string; end?: string; project_id?: string; org_id?: string }; answer: Schemas['FilterValues'] }
    /** Views and viewers over time */
    '/analytics/v1/dashboard': { query?: { time_start?: string; time_end?: string; interval?: "hour" | "day" | "week" | "month"; start?: string; end?: string; project_id?: string; org_id?: string }; answer: Schemas['Dashboard'] }
    /** What happened in the last five minutes, or in what of them lies between `start` and `end` */
    '/analytics/v1/realtime': { query?: { start?: string; end?: string; project_id?: string; org_id?: string }; answer: Schemas['Realtime'] }
    /** Show whether the events of a viewer are deleted yet */
    '/analytics/v1/viewers/{viewer_id}/deletion': { path: { viewer_id: string }; answer: Schemas['ViewerDeletion'] }
    /** List what payment providers told of an organization’s subscriptions */
    '/billing/v1/events': { query: { org_id: string; limit?: number; offset?: number }; answer: Schemas['BillingEventList'] }
    /** Show an event of a payment provider with its body */
    '/billing/v1/events/{event_id}': { path: { event_id: string }; query: { org_id: string; provider?: string }; answer: Schemas['BillingEventDetails'] }
    /** List the plans and what each allows */
    '/billing/v1/plans': { query?: { limit?: number; offset?: number; sort?: "position"; order?: "asc" }; answer: Schemas['BillingPlanList'] }
    /** Show the plan of an organization and the subscription that it comes from */
    '/billing/v1/subscription': { query: { org_id: string }; answer: Schemas['BillingSubscription'] }
    /** Show the storage that the projects of an organization use; to a key, its own project’s */
    '/billing/v1/storage-usage': { query: { org_id: string }; answer: Schemas['StorageUsage'] }
    /** Show what the projects of an organization used day by day; to a key, its own project */
    '/billing/v1/usage-history': { query: { org_id: string; start?: string; end?: string; limit?: number; offset?: number }; answer: Schemas['UsageHistory'] }
    /** List the webhooks of an organization’s projects */
    '/organizations/{org_id}/webhooks/v1': { path: { org_id: string }; query?: { limit?: number; offset?: number; sort?: "created_at"; order?: "desc" }; answer: Schemas['WebhookList'] }
    /** Show a webhook */
    '/organizations/{org_id}/webhooks/v1/{webhook_id}': { path: { org_id: string; webhook_id: string }; answer: Schemas['WebhookResult'] }
    /** List what has happened in a project since a cursor, in the order in which it is told */
    '/webhooks/v1/messages': { query?: { after?: string; limit?: number }; answer: Schemas['WebhookMessagePage'] }
    /** List what a webhook was told, the latest first */
    '/organizations/{org_id}/webhooks/v1/{webhook_id}/deliveries': { path: { org_id: string; webhook_id: string }; query?: { limit?: number; offset?: number; state?: "pending" | "delivered" | "failed" }; answer: Schemas['WebhookDeliveryList'] }
    /** Show a delivery with each request and answer */
    '/organizations/{org_id}/webhooks/v1/{webhook_id}/deliveries/{message_id}': { path: { org_id: string; webhook_id: string; message_id: string }; answer: Schemas['WebhookDeliveryDetails'] }
  }
  post: {
    /** Sign in with email and password */
    '/auth/v1/login': { body: Schemas['Login']; answer: Schemas['Tokens'] }
    /** Exchange a refresh token for new tokens */
    '/auth/v1/token': { body: Schemas['TokenRefresh']; answer: Schemas['Tokens'] }
    /** Exchange a secret API key for tokens of its project */
    '/platform/auth/v1/token': { body: Schemas['KeyExchange']; answer: Schemas['Tokens'] }
    /** Accept an invitation and sign in */
    '/auth/v1/invitations/accept': { body: Schemas['InvitationAcceptance']; answer: Schemas['Tokens'] }
    /** Sign out */
    '/auth/v1/logout': { answer: undefined }
    /** Sign a browser in, on a page of the service itself */
    '/auth/v1/browser/session': { body: Schemas['Login']; answer: Schemas['AccessToken'] }
    /** A new access token for a browser that is signed in */
    '/auth/v1/browser/session/renew': { answer: Schemas['AccessToken'] }
    /** Sign a browser in by a link that works once */
    '/auth/v1/browser/session/link': { body: Schemas['LinkSignIn']; answer: Schemas['AccessToken'] }
    /** What somebody is invited to, by the invitation’s token */
    '/auth/v1/browser/invitation': { body: Schemas['InvitationToken']; answer: Schemas['ShownInvitation'] }
    /** Accept an invitation and sign a browser in */
    '/auth/v1/browser/session/invitation': { body: Schemas['InvitationAcceptance']; answer: Schemas['AccessToken'] }
    /** Have a link for a new password mailed */
    '/auth/v1/password-reset': { body: Schemas['PasswordResetRequest']; answer: undefined }
    /** Set a new password by a link that works once */
    '/auth/v1/password-reset/complete': { body: Schemas['PasswordReset']; answer: undefined }
    /** Create an API key; its secret is in this answer and nowhere else */
    '/organizations/{org_id}/api-keys/v1': { path: { org_id: string }; body: Schemas['NewApiKey']; answer: Schemas['ApiKeyResult'] }
    /** Give a key a new secret; the old one works for `grace_seconds` more */
    '/organizations/{org_id}/api-keys/v1/{key_id}/rotate': { path: { org_id: string; key_id: string }; body?: Schemas['ApiKeyRotation']; answer: Schemas['ApiKeyResult'] }
    /** Make a key for an app to sign tokens with, which open private media of a project */
    '/organizations/{org_id}/signing-keys/v1': { path: { org_id: string }; body: Schemas['NewSigningKey']; answer: Schemas['SigningKeyResult'] }
    /** Create a project */
    '/organizations/{org_id}/projects/v1': { path: { org_id: string }; body: Schemas['NewProject']; answer: Schemas['Project'] }
    /** Create a policy */
    '/auth/v1/memberships/{org_id}/policies': { path: { org_id: string }; body: Schemas['NewPolicy']; answer: Schemas['Policy'] }
    /** Attach a policy to a member or a secret key */
    '/auth/v1/memberships/{org_id}/policies/{policy_id}/attachments': { path: { org_id: string; policy_id: string }; body: Schemas['NewPolicyAttachment']; answer: Schemas['PolicyAttachment'] }
    /** Invite somebody */
    '/auth/v1/memberships/{org_id}/invite': { path: { org_id: string }; body: Schemas['NewInvitation']; answer: Schemas['Invitation'] }
    /** Ask for an address to upload an image to */
    '/images/upload/init': { body: Schemas['NewImage']; answer: Schemas['ImageUpload'] }
    /** Make an image of what was uploaded */
    '/images/upload/complete': { body: Schemas['ImageCompletion']; answer: Schemas['Image'] }
    /** Take back that an image was deleted, while it is in the trash */
    '/images/{imageId}/restore': { path: { imageId: string }; answer: Schemas['Image'] }
    /** Have the service fetch an image from an address */
    '/images/import': { body: Schemas['ImageImportRequest']; answer: Schemas['ImageImport'] }
    /** Make a new secret to sign sizes by; what the one before has signed no longer counts */
    '/images/signing-secret/rotate': { answer: Schemas['ImageSigningSecret'] }
    /** Ask for addresses to upload a video and its poster to */
    '/videos/upload/init': { body: Schemas['NewVideo']; answer: Schemas['VideoUpload'] }
    /** Take back that a video was deleted, while it is in the trash */
    '/videos/{videoId}/restore': { path: { videoId: string }; answer: Schemas['Video'] }
    /** Replace all subtitles of a video */
    '/videos/{videoId}/subtitles': { path: { videoId: string }; body: FormData; answer: Schemas['Subtitles'] }
    /** Replace all audio tracks of a video */
    '/videos/{videoId}/audio-tracks': { path: { videoId: string }; body: FormData; answer: Schemas['AudioTracks'] }
    /** Make a video of what was uploaded; it plays from the answer on */
    '/videos/upload/complete': { body: Schemas['VideoCompletion']; answer: Schemas['Video'] }
    /** Have the service fetch a video from an address */
    '/videos/import': { body: Schemas['VideoImportRequest']; answer: Schemas['VideoImport'] }
    /** Make a video of a part of another; it plays from the answer on */
    '/videos/{videoId}/clips': { path: { videoId: string }; body: Schemas['NewClip']; answer: Schemas['Video'] }
    /** Make a token that plays a private video for a while */
    '/videos/{videoId}/playback-token': { path: { videoId: string }; body?: Schemas['NewPlaybackToken']; answer: Schemas['PlaybackToken'] }
    /** Make a token that shows a private image for a while, in all its sizes */
    '/images/{imageId}/playback-token': { path: { imageId: string }; body?: Schemas['NewToken']; answer: Schemas['PlaybackToken'] }
    /** Make a token that opens all private media of the project for a while */
    '/media/playback-token': { body?: Schemas['NewToken']; answer: Schemas['PlaybackToken'] }
    /** Make a draft, and ask for addresses to upload what it is to show */
    '/posts/v1/projects/{projectId}/feeds/{feedId}/posts/upload/init': { path: { projectId: string; feedId: string }; body: Schemas['NewPost']; answer: Schemas['PostUpload'] }
    /** Publish a draft whose content was uploaded */
    '/posts/v1/projects/{projectId}/feeds/{feedId}/posts/upload/complete': { path: { projectId: string; feedId: string }; body: Schemas['PostCompletion']; answer: Schemas['Post'] }
    /** Move a published post to right before or right after another of its feed */
    '/posts/v1/projects/{projectId}/feeds/{feedId}/posts/{postId}/move': { path: { projectId: string; feedId: string; postId: string }; body: Schemas['PostMove']; answer: Schemas['Post'] }
    /** Create a feed */
    '/feeds': { body: Schemas['NewFeed']; answer: Schemas['Feed'] }
    /** Add media to a feed, each as a published post: all of it or nothing */
    '/feeds/{feedId}/content': { path: { feedId: string }; body: Schemas['NewContent']; answer: Schemas['AddedContent'] }
    /** Count how many viewers get through a series of steps */
    '/analytics/v1/funnels': { query?: { start?: string; end?: string; project_id?: string; org_id?: string }; body: Schemas['FunnelRequest']; answer: Schemas['FunnelResult'] }
    /** Of those who came in a period, the part that was seen again in each one after */
    '/analytics/v1/retention': { query?: { start?: string; end?: string; project_id?: string; org_id?: string }; body?: Schemas['RetentionRequest']; answer: Schemas['Retention'] }
    /** Do again what a stored event says, by today’s settings */
    '/billing/v1/events/{event_id}/replay': { path: { event_id: string }; query: { org_id: string; provider?: string }; answer: Schemas['BillingEvent'] }
    /** Have an address called when something happens in a project */
    '/organizations/{org_id}/webhooks/v1': { path: { org_id: string }; body: Schemas['NewWebhook']; answer: Schemas['WebhookResult'] }
    /** Give a webhook a new secret; deliveries are signed with the old one too for `grace_seconds` */
    '/organizations/{org_id}/webhooks/v1/{webhook_id}/rotate': { path: { org_id: string; webhook_id: string }; body?: Schemas['WebhookSecretRotation']; answer: Schemas['WebhookResult'] }
    /** Send a webhook an example of a message */
    '/organizations/{org_id}/webhooks/v1/{webhook_id}/test': { path: { org_id: string; webhook_id: string }; body?: Schemas['WebhookTest']; answer: Schemas['WebhookDeliveryDetails'] }
    /** Deliver a message once more, under the same id */
    '/organizations/{org_id}/webhooks/v1/{webhook_id}/deliveries/{message_id}/replay': { path: { org_id: string; webhook_id: string; message_id: string }; answer: Schemas['WebhookDeliveryDetails'] }
    /** Deliver once more what happened in a time, or what failed, or both */
    '/organizations/{org_id}/webhooks/v1/{webhook_id}/replay': { path: { org_id: string; webhook_id: string }; body: Schemas['WebhookReplay']; answer: Schemas['WebhookReplayed'] }
    /** Send events: all of them are kept, or none */
    '/analytics/v1/events': { query?: { idempotency_key?: string }; body: Schemas['TrackEventsRequest']; answer: Schemas['EventsAcknowledgement'] }
  }
  put: {
    /** Set a new password; every other sign-in ends */
    '/auth/v1/users/current/password': { body: Schemas['PasswordChange']; answer: undefined }
    /** Set the domain that the project’s media is delivered under */
    '/organizations/{org_id}/projects/v1/{project_id}/custom-domain': { path: { org_id: string; project_id: string }; body: Schemas['CustomDomain']; answer: Schemas['Project'] }
    /** Update a policy; what is left out stays */
    '/auth/v1/memberships/{org_id}/policies/{policy_id}': { path: { org_id: string; policy_id: string }; body: Schemas['PolicyChange']; answer: Schemas['Policy'] }
    /** Set a preset, in place of the one of its name */
    '/images/presets/{name}': { path: { name: string }; body: Schemas['SizeOptions']; answer: Schemas['ImagePreset'] }
    /** Add or replace the subtitles of a language */
    '/videos/{videoId}/subtitles/{lang_code}': { path: { videoId: string; lang_code: string }; body: FormData; answer: Schemas['Subtitle'] }
    /** Add or replace the audio track of a language */
    '/videos/{videoId}/audio-tracks/{lang_code}': { path: { videoId: string; lang_code: string }; body: FormData; answer: Schemas['AudioTrack'] }
    /** Set the chapters of a video */
    '/videos/{videoId}/chapters': { path: { videoId: string }; body: Schemas['NewChapters']; answer: Schemas['VideoChapters'] }
    /** Set the poster of a video */
    '/videos/{videoId}/thumbnail': { path: { videoId: string }; body: FormData; answer: Schemas['Video'] }
    /** Change a feed; what is not given stays as it is */
    '/feeds/{feedId}': { path: { feedId: string }; body: Schemas['FeedChanges']; answer: Schemas['Feed'] }
  }
  patch: {
    /** Rename a project */
    '/organizations/{org_id}/projects/v1/{project_id}/name': { path: { org_id: string; project_id: string }; body: Schemas['ProjectNameChange']; answer: Schemas['Project'] }
    /** Set the quality tier that videos get where none is asked for */
    '/organizations/{org_id}/projects/v1/{project_id}/video-quality': { path: { org_id: string; project_id: string }; body: Schemas['VideoQualityChange']; answer: Schemas['Project'] }
    /** Say who may see new media of the project; what is there stays as it is */
    '/organizations/{org_id}/projects/v1/{project_id}/default-visibility': { path: { org_id: string; project_id: string }; body: Schemas['DefaultVisibilityChange']; answer: Schemas['Project'] }
    /** Make a member an owner, or an owner a member */
    '/auth/v1/memberships/{org_id}/members/{user_id}/role': { path: { org_id: string; user_id: string }; body: Schemas['RoleChange']; answer: Schemas['Member'] }
    /** Suspend a member, or let them in again */
    '/auth/v1/memberships/{org_id}/members/{user_id}/status': { path: { org_id: string; user_id: string }; body: Schemas['StatusChange']; answer: Schemas['Member'] }
    /** Name and describe an image, say who may see it and what matters in it; what is left out stays */
    '/images/{imageId}': { path: { imageId: string }; body: Schemas['ImageChanges']; answer: Schemas['Image'] }
    /** Name and describe a video, and say who may see it; what is left out stays */
    '/videos/{videoId}': { path: { videoId: string }; body: Schemas['VideoChanges']; answer: Schemas['Video'] }
    /** Change a post’s description or creator, publish it, or make a draft of it again */
    '/posts/v1/projects/{projectId}/feeds/{feedId}/posts/{postId}': { path: { projectId: string; feedId: string; postId: string }; body: Schemas['PostChanges']; answer: Schemas['Post'] }
    /** Change a webhook, or switch it off or on */
    '/organizations/{org_id}/webhooks/v1/{webhook_id}': { path: { org_id: string; webhook_id: string }; body: Schemas['WebhookChanges']; answer: Schemas['WebhookResult'] }
  }
  delete: {
    /** Sign a browser out */
    '/auth/v1/browser/session': { answer: undefined }
    /** Sign out everywhere, here as well */
    '/auth/v1/sessions': { answer: undefined }
    /** Sign out in one place */
    '/auth/v1/sessions/{session_id}': { path: { session_id: string }; answer: undefined }
    /** Revoke a key, at once and everywhere */
    '/organizations/{org_id}/api-keys/v1/{key_id}': { path: { org_id: string; key_id: string }; answer: undefined }
    /** Delete a signing key; tokens that it has signed open nothing any more */
    '/organizations/{org_id}/signing-keys/v1/{signing_key_id}': { path: { org_id: string; signing_key_id: string }; answer: undefined }
    /** Delete a project with its keys and everything in it */
    '/organizations/{org_id}/projects/v1/{project_id}': { path: { org_id: string; project_id: string }; query?: { confirm?: string }; answer: undefined }
    /** Remove the custom domain */
    '/organizations/{org_id}/projects/v1/{project_id}/custom-domain': { path: { org_id: string; project_id: string }; answer: Schemas['Project'] }
    /** Delete a policy that restricts no key */
    '/auth/v1/memberships/{org_id}/policies/{policy_id}': { path: { org_id: string; policy_id: string }; answer: undefined }
    /** Detach a policy */
    '/auth/v1/memberships/{org_id}/policies/attachments/{attachment_id}': { path: { org_id: string; attachment_id: string }; answer: undefined }
    /** Withdraw an invitation; its token is worth nothing from then on */
    '/auth/v1/memberships/{org_id}/invitations/{invitation_id}': { path: { org_id: string; invitation_id: string }; answer: undefined }
    /** Remove a member, or leave */
    '/auth/v1/memberships/{org_id}/members/{user_id}': { path: { org_id: string; user_id: string }; answer: undefined }
    /** Delete an image, which is no longer served from then on, or cancel its upload */
    '/images/{imageId}': { path: { imageId: string }; answer: undefined }
    /** Delete a preset */
    '/images/presets/{name}': { path: { name: string }; answer: undefined }
    /** Delete a video with everything that belongs to it, or cancel its upload */
    '/videos/{videoId}': { path: { videoId: string }; answer: undefined }
    /** Delete all subtitles of a video */
    '/videos/{videoId}/subtitles': { path: { videoId: string }; answer: Schemas['Deletion'] }
    /** Delete the subtitles of a language, named by it or by its id */
    '/videos/{videoId}/subtitles/{lang_code}': { path: { videoId: string; lang_code: string }; answer: Schemas['Deletion'] }
    /** Delete all audio tracks of a video */
    '/videos/{videoId}/audio-tracks': { path: { videoId: string }; answer: Schemas['Deletion'] }
    /** Delete the audio track of a language, named by it or by its id */
    '/videos/{videoId}/audio-tracks/{lang_code}': { path: { videoId: string; lang_code: string }; answer: Schemas['Deletion'] }
    /** Remove all chapters of a video */
    '/videos/{videoId}/chapters': { path: { videoId: string }; answer: Schemas['VideoChapters'] }
    /** Remove one chapter of a video; the chapter before it goes on through its time */
    '/videos/{videoId}/chapters/{index}': { path: { videoId: string; index: number }; answer: Schemas['VideoChapters'] }
    /** Take a post out of its feed; what it shows stays */
    '/posts/v1/projects/{projectId}/feeds/{feedId}/posts/{postId}': { path: { projectId: string; feedId: string; postId: string }; answer: undefined }
    /** Delete a feed and its posts; the media that they show stays */
    '/feeds/{feedId}': { path: { feedId: string }; answer: undefined }
    /** Delete all events that a viewer has sent until now */
    '/analytics/v1/viewers/{viewer_id}': { path: { viewer_id: string }; answer: Schemas['ViewerDeletion'] }
    /** Delete a webhook with the record of its deliveries */
    '/organizations/{org_id}/webhooks/v1/{webhook_id}': { path: { org_id: string; webhook_id: string }; answer: undefined }
  }
}
