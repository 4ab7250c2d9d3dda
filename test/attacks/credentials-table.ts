import type { Tenant } from '../support/world.ts'

export interface World {
  mine: Tenant
  theirs: Tenant
  policyId: string
  attachmentId: string
  memberId: string
  /** A key nobody uses: it may be deleted. */
  spareKeyId: string
}

/** What each kind of caller gets; `allowed` is anything but 401 and 403. */
export type Verdict = 'allowed' | 401 | 403 | 404

export interface Row {
  path: (world: World) => string
  body?: (world: World) => unknown
  /** The credential is right but of the other kind: a secret key, a publishable key. */
  secretKey: Verdict
  publishableKey: Verdict
  /** Another tenant's owner, and their secret key. */
  otherTenant: Verdict
  otherTenantKey: Verdict
  /** A member with no policy, and a key whose policy is about something else. */
  powerless: Verdict
  powerlessKey: Verdict
  /** The operation's own words, where they are not the usual ones. */
  words?: Record<number, string>
}

const EVERYBODY = {
  secretKey: 'allowed',
  publishableKey: 'allowed',
  otherTenant: 'allowed',
  otherTenantKey: 'allowed',
  powerless: 'allowed',
  powerlessKey: 'allowed',
} as const

/** What belongs to an organization as a whole, a project's key cannot touch. */
const ORGANIZATION = {
  secretKey: 403,
  publishableKey: 403,
  otherTenant: 403,
  otherTenantKey: 403,
  powerless: 403,
  powerlessKey: 403,
} as const

/** What is in a project, its secret key may touch. */
const PROJECT = { ...ORGANIZATION, secretKey: 'allowed' } as const

/** Operations that take a bearer token only: a key is no credential there. */
const BEARER_ONLY = {
  ...EVERYBODY,
  secretKey: 401,
  publishableKey: 401,
  otherTenantKey: 401,
  powerlessKey: 401,
} as const

/** The key for something else is for billing. */
const BILLED = { ...PROJECT, powerlessKey: 'allowed' } as const

const org = (w: World) => w.mine.orgId
const project = (w: World) => `/organizations/${org(w)}/projects/v1/${w.mine.projectId}`
const policies = (w: World) => `/auth/v1/memberships/${org(w)}/policies`
const members = (w: World) => `/auth/v1/memberships/${org(w)}`
export const keys = (w: World) => `/organizations/${org(w)}/api-keys/v1`

const webhooks = (w: World) => `/organizations/${org(w)}/webhooks/v1`
const signingKeys = (w: World) => `/organizations/${org(w)}/signing-keys/v1`
const MESSAGE = 'msg_00000000000000000000000000'
/** What is about one webhook of the organization. */
const ofWebhook = (rest: string): Row => ({
  ...PROJECT,
  path: (w) => `${webhooks(w)}/whk_00000000000000000000000000${rest}`,
})

/** What acts on the caller's own project: another tenant acts on theirs, and never sees this one. */
const OWN_PROJECT = { ...PROJECT, otherTenant: 'allowed', otherTenantKey: 'allowed' } as const
const UPLOAD_WORDS = { 401: 'Unauthorized - Invalid API key', 403: 'Access denied' }
const UNKNOWN_IMAGE = 'img_00000000000000000000000000'
const video = '/videos/vid_00000000000000000000000000'
/** What is about one video of the caller's own project. */
const ofVideo = (rest: string): Row => ({ ...OWN_PROJECT, path: () => video + rest })

const feed = '/feeds/feed_00000000000000000000000000'
/** What publishable keys are for, besides events. */
const PUBLISHED = { ...OWN_PROJECT, publishableKey: 'allowed' } as const
const ofFeed = (rest: string): Row => ({ ...OWN_PROJECT, path: () => feed + rest })
const post = (w: World) => `/posts/v1/projects/${w.mine.projectId}${feed}/posts`
const ofPost = (rest: string): Row => ({ ...PROJECT, path: (w) => post(w) + rest })
const UNKNOWN_POST = '/post_00000000000000000000000000'

/** Reports are about the caller's own organization; another tenant sees theirs. */
const report = (rest: string): Row => ({ ...OWN_PROJECT, path: () => `/analytics/v1/${rest}` })
const reported = video.slice(1)

/** Every operation that asks who calls. */
export const TABLE: Record<string, Row> = {
  'GET /project': { ...OWN_PROJECT, path: () => '/project' },
  'GET /media': { ...OWN_PROJECT, path: () => '/media' },
  'GET /uploads': { ...OWN_PROJECT, path: () => '/uploads' },
  'POST /media/playback-token': { ...OWN_PROJECT, path: () => '/media/playback-token' },
  'POST /videos/upload/init': {
    ...OWN_PROJECT,
    path: () => '/videos/upload/init',
    body: () => ({ file_name: 'x.mp4' }),
  },
  'POST /videos/upload/complete': {
    ...OWN_PROJECT,
    path: () => '/videos/upload/complete',
    body: () => ({ video_id: video.slice('/videos/'.length) }),
    words: UPLOAD_WORDS,
  },
  'GET /videos': { ...OWN_PROJECT, path: () => '/videos' },
  'GET /videos/languages': { ...OWN_PROJECT, path: () => '/videos/languages' },
  'GET /videos/:videoId': ofVideo(''),
  'PATCH /videos/:videoId': { ...ofVideo(''), body: () => ({ name: 'x' }) },
  'DELETE /videos/:videoId': ofVideo(''),
  'POST /videos/:videoId/restore': ofVideo('/restore'),
  'GET /videos/:videoId/uses': ofVideo('/uses'),
  'POST /videos/:videoId/playback-token': ofVideo('/playback-token'),
  'GET /videos/:videoId/thumbnail': ofVideo('/thumbnail'),
  'PUT /videos/:videoId/thumbnail': ofVideo('/thumbnail'),
  'GET /videos/:videoId/storyboard.vtt': ofVideo('/storyboard.vtt'),
  'GET /videos/:videoId/progress': ofVideo('/progress'),
  'GET /videos/:videoId/subtitles': ofVideo('/subtitles'),
  'PUT /videos/:videoId/subtitles/:lang_code': ofVideo('/subtitles/en'),
  'POST /videos/:videoId/subtitles': ofVideo('/subtitles'),
  'DELETE /videos/:videoId/subtitles/:subtitleId': ofVideo('/subtitles/en'),
  'DELETE /videos/:videoId/subtitles': ofVideo('/subtitles'),
  'GET /videos/:videoId/audio-tracks': ofVideo('/audio-tracks'),
  'PUT /videos/:videoId/audio-tracks/:lang_code': ofVideo('/audio-tracks/en'),
  'POST /videos/:videoId/audio-tracks': ofVideo('/audio-tracks'),
  'DELETE /videos/:videoId/audio-tracks/:trackId': ofVideo('/audio-tracks/en'),
  'DELETE /videos/:videoId/audio-tracks': ofVideo('/audio-tracks'),
  'POST /videos/:videoId/clips': { ...ofVideo('/clips'), body: () => ({ start: 0, end: 1 }) },
  'GET /videos/:videoId/chapters': ofVideo('/chapters'),
  'PUT /videos/:videoId/chapters': { ...ofVideo('/chapters'), body: () => ({ chapters: [] }) },
  'DELETE /videos/:videoId/chapters': { ...ofVideo('/chapters'), words: UPLOAD_WORDS },
  'DELETE /videos/:videoId/chapters/:index': { ...ofVideo('/chapters/0'), words: UPLOAD_WORDS },
  'POST /images/upload/init': {
    ...OWN_PROJECT,
    path: () => '/images/upload/init',
    body: () => ({ file_name: 'x.jpg' }),
  },
  'POST /images/upload/complete': {
    ...OWN_PROJECT,
    path: () => '/images/upload/complete',
    body: () => ({ image_id: UNKNOWN_IMAGE }),
    words: UPLOAD_WORDS,
  },
  'POST /images/import': {
    ...OWN_PROJECT,
    path: () => '/images/import',
    body: () => ({ url: 'http://192.0.2.1/x.jpg' }),
  },
  'POST /videos/import': {
    ...OWN_PROJECT,
    path: () => '/videos/import',
    body: () => ({ url: 'http://192.0.2.1/x.mp4' }),
  },
  'GET /images/:imageId/progress': { ...OWN_PROJECT, path: () => `/images/${UNKNOWN_IMAGE}/progress` },
  'GET /images/presets': { ...OWN_PROJECT, path: () => '/images/presets' },
  'PUT /images/presets/:name': {
    ...OWN_PROJECT,
    path: () => '/images/presets/card',
    body: () => ({ w: 40 }),
  },
  'DELETE /images/presets/:name': { ...OWN_PROJECT, path: () => '/images/presets/card' },
  'GET /images/signing-secret': { ...OWN_PROJECT, path: () => '/images/signing-secret' },
  'POST /images/signing-secret/rotate': { ...OWN_PROJECT, path: () => '/images/signing-secret/rotate' },
  'GET /images': { ...OWN_PROJECT, path: () => '/images' },
  'GET /images/:imageId': { ...OWN_PROJECT, path: () => `/images/${UNKNOWN_IMAGE}` },
  'GET /images/:imageId/uses': { ...OWN_PROJECT, path: () => `/images/${UNKNOWN_IMAGE}/uses` },
  'POST /images/:imageId/playback-token': {
    ...OWN_PROJECT,
    path: () => `/images/${UNKNOWN_IMAGE}/playback-token`,
  },
  'POST /images/:imageId/restore': { ...OWN_PROJECT, path: () => `/images/${UNKNOWN_IMAGE}/restore` },
  'PATCH /images/:imageId': {
    ...OWN_PROJECT,
    path: () => `/images/${UNKNOWN_IMAGE}`,
    body: () => ({ name: 'x' }),
  },
  'DELETE /images/:imageId': {
    ...OWN_PROJECT,
    path: () => `/images/${UNKNOWN_IMAGE}`,
    words: { 403: 'Access denied' },
  },
  'POST /feeds': { ...OWN_PROJECT, path: () => '/feeds', body: () => ({ name: 'x' }) },
  'GET /feeds': { ...PUBLISHED, path: () => '/feeds' },
  'GET /feeds/:feedId': { ...PUBLISHED, path: () => feed },
  'PUT /feeds/:feedId': { ...ofFeed(''), body: () => ({ name: 'x' }) },
  'DELETE /feeds/:feedId': ofFeed(''),
  'POST /feeds/:feedId/content': {
    ...ofFeed('/content'),
    body: () => ({ content_ids: [UNKNOWN_IMAGE], content_type: 'mixed' }),
  },
  'GET /feeds/:feedId/info': { ...PUBLISHED, path: () => `${feed}/info` },
  'GET /feeds/:feedId/creators/:creatorId': { ...PUBLISHED, path: () => `${feed}/creators/x` },
  'GET /feeds/:feedId/:postId': { ...PUBLISHED, path: () => feed + UNKNOWN_POST },
  'GET /posts/v1/projects/:projectId/posts': {
    ...PROJECT,
    path: (w) => `/posts/v1/projects/${w.mine.projectId}/posts?ids=${UNKNOWN_POST.slice(1)}`,
    publishableKey: 'allowed',
  },
  'GET /posts/v1/projects/:projectId/feeds/:feedId/posts': { ...ofPost(''), publishableKey: 'allowed' },
  'GET /posts/v1/projects/:projectId/feeds/:feedId/posts/:postId': {
    ...ofPost(UNKNOWN_POST),
    publishableKey: 'allowed',
  },
  'PATCH /posts/v1/projects/:projectId/feeds/:feedId/posts/:postId': {
    ...ofPost(UNKNOWN_POST),
    body: () => ({ description: 'x' }),
  },
  'DELETE /posts/v1/projects/:projectId/feeds/:feedId/posts/:postId': ofPost(UNKNOWN_POST),
  'POST /posts/v1/projects/:projectId/feeds/:feedId/posts/:postId/move': {
    ...ofPost(`${UNKNOWN_POST}/move`),
    body: () => ({ before: 'post_00000000000000000000000001' }),
  },
  'POST /posts/v1/projects/:projectId/feeds/:feedId/posts/upload/init': {
    ...ofPost('/upload/init'),
    body: () => ({ content_type: 'image', file_name: 'x.jpg', format: 'jpg' }),
  },
  'POST /posts/v1/projects/:projectId/feeds/:feedId/posts/upload/complete': {
    ...ofPost('/upload/complete'),
    body: () => ({ post_id: UNKNOWN_POST.slice(1) }),
  },
  'POST /analytics/v1/events': {
    ...PUBLISHED,
    path: () => '/analytics/v1/events',
    body: () => ({ events: [] }),
  },
  'POST /analytics/v1/funnels': {
    ...report('funnels'),
    body: () => ({ steps: [{ name: 'x', event_type: 'error' }] }),
  },
  'GET /analytics/v1/top/videos': report('top/videos'),
  'GET /analytics/v1/top/posts': report('top/posts'),
  'GET /analytics/v1/top/feeds': report('top/feeds'),
  'GET /analytics/v1/videos/:video_id/stats': report(`${reported}/stats`),
  'GET /analytics/v1/videos/:video_id/heatmap': report(`${reported}/heatmap`),
  'GET /analytics/v1/videos/:video_id/hot-segments': report(`${reported}/hot-segments`),
  'GET /analytics/v1/videos/:video_id/quality': report(`${reported}/quality`),
  'GET /analytics/v1/quality': report('quality'),
  'GET /analytics/v1/posts/:post_id/stats': report(`posts${UNKNOWN_POST}/stats`),
  'GET /analytics/v1/feeds/:feed_id/stats': report(`${feed.slice(1)}/stats`),
  'GET /analytics/v1/dashboard': report('dashboard'),
  'GET /analytics/v1/overview': report('overview'),
  'GET /analytics/v1/values': report('values?field=page'),
  'GET /analytics/v1/realtime': report('realtime'),
  'POST /analytics/v1/retention': { ...report('retention'), body: () => ({}) },
  'DELETE /analytics/v1/viewers/:viewer_id': report('viewers/nobody'),
  'GET /analytics/v1/viewers/:viewer_id/deletion': report('viewers/nobody/deletion'),
  'GET /organization/:orgId/projects': { ...PROJECT, path: (w) => `/organization/${org(w)}/projects` },
  'POST /organizations/:org_id/projects/v1': {
    ...ORGANIZATION,
    path: (w) => `/organizations/${org(w)}/projects/v1`,
    body: () => ({ name: 'x' }),
  },
  'GET /organizations/:org_id/projects/v1/:project_id': { ...PROJECT, path: project },
  'DELETE /organizations/:org_id/projects/v1/:project_id': {
    ...ORGANIZATION,
    path: (w) => `${project(w)}?confirm=${w.mine.projectId}`,
  },
  'PATCH /organizations/:org_id/projects/v1/:project_id/name': {
    ...PROJECT,
    path: (w) => `${project(w)}/name`,
    body: () => ({ name: 'x' }),
  },
  'PATCH /organizations/:org_id/projects/v1/:project_id/default-visibility': {
    ...PROJECT,
    path: (w) => `${project(w)}/default-visibility`,
    body: () => ({ default_visibility: 'public' }),
  },
  'PATCH /organizations/:org_id/projects/v1/:project_id/video-quality': {
    ...PROJECT,
    path: (w) => `${project(w)}/video-quality`,
    body: () => ({ video_quality: 'pro' }),
  },
  'PUT /organizations/:org_id/projects/v1/:project_id/custom-domain': {
    ...PROJECT,
    path: (w) => `${project(w)}/custom-domain`,
    body: () => ({ custom_domain: 'media.example.com' }),
  },
  'DELETE /organizations/:org_id/projects/v1/:project_id/custom-domain': {
    ...PROJECT,
    path: (w) => `${project(w)}/custom-domain`,
  },
  'GET /organizations/:org_id/api-keys/v1': { ...PROJECT, path: keys },
  'POST /organizations/:org_id/api-keys/v1': {
    ...PROJECT,
    path: keys,
    body: (w) => ({ name: 'x', project_id: w.mine.projectId }),
  },
  'POST /organizations/:org_id/api-keys/v1/:key_id/rotate': {
    ...PROJECT,
    path: (w) => `${keys(w)}/${w.mine.secretKeyId}/rotate`,
    body: () => ({ grace_seconds: 3600 }),
  },
  'DELETE /organizations/:org_id/api-keys/v1/:key_id': {
    ...PROJECT,
    path: (w) => `${keys(w)}/${w.spareKeyId}`,
  },
  'GET /organizations/:org_id/signing-keys/v1': { ...PROJECT, path: signingKeys },
  'POST /organizations/:org_id/signing-keys/v1': {
    ...PROJECT,
    path: signingKeys,
    body: (w) => ({ name: 'App', project_id: w.mine.projectId }),
  },
  'DELETE /organizations/:org_id/signing-keys/v1/:signing_key_id': {
    ...PROJECT,
    path: (w) => `${signingKeys(w)}/sig_00000000000000000000000000`,
  },
  'GET /organizations/:org_id/webhooks/v1': { ...PROJECT, path: webhooks },
  'POST /organizations/:org_id/webhooks/v1': {
    ...PROJECT,
    path: webhooks,
    body: (w) => ({ url: 'https://app.example.com/hook', project_id: w.mine.projectId }),
  },
  'GET /webhooks/v1/messages': { ...OWN_PROJECT, path: () => '/webhooks/v1/messages' },
  'GET /organizations/:org_id/webhooks/v1/:webhook_id': ofWebhook(''),
  'PATCH /organizations/:org_id/webhooks/v1/:webhook_id': { ...ofWebhook(''), body: () => ({ kinds: [] }) },
  'DELETE /organizations/:org_id/webhooks/v1/:webhook_id': ofWebhook(''),
  'POST /organizations/:org_id/webhooks/v1/:webhook_id/rotate': ofWebhook('/rotate'),
  'POST /organizations/:org_id/webhooks/v1/:webhook_id/test': ofWebhook('/test'),
  'POST /organizations/:org_id/webhooks/v1/:webhook_id/replay': {
    ...ofWebhook('/replay'),
    body: () => ({ state: 'failed' }),
  },
  'GET /organizations/:org_id/webhooks/v1/:webhook_id/deliveries': ofWebhook('/deliveries'),
  'GET /organizations/:org_id/webhooks/v1/:webhook_id/deliveries/:message_id': ofWebhook(
    `/deliveries/${MESSAGE}`,
  ),
  'POST /organizations/:org_id/webhooks/v1/:webhook_id/deliveries/:message_id/replay': ofWebhook(
    `/deliveries/${MESSAGE}/replay`,
  ),
  'GET /organizations/:org_id/audit/v1': {
    ...ORGANIZATION,
    path: (w) => `/organizations/${org(w)}/audit/v1`,
  },
  'GET /auth/v1/policies/permissions': { ...EVERYBODY, path: () => '/auth/v1/policies/permissions' },
  'GET /auth/v1/memberships/:org_id/policies': { ...ORGANIZATION, path: policies },
  'POST /auth/v1/memberships/:org_id/policies': {
    ...ORGANIZATION,
    path: policies,
    body: () => ({ name: 'x', permissions: ['videos:read'] }),
  },
  'GET /auth/v1/memberships/:org_id/policies/:policy_id': {
    ...ORGANIZATION,
    path: (w) => `${policies(w)}/${w.policyId}`,
  },
  'PUT /auth/v1/memberships/:org_id/policies/:policy_id': {
    ...ORGANIZATION,
    path: (w) => `${policies(w)}/${w.policyId}`,
    body: () => ({ permissions: ['*:*'] }),
  },
  'DELETE /auth/v1/memberships/:org_id/policies/:policy_id': {
    ...ORGANIZATION,
    path: (w) => `${policies(w)}/${w.policyId}`,
  },
  'GET /auth/v1/memberships/:org_id/policies/:policy_id/attachments': {
    ...ORGANIZATION,
    path: (w) => `${policies(w)}/${w.policyId}/attachments`,
  },
  'POST /auth/v1/memberships/:org_id/policies/:policy_id/attachments': {
    ...ORGANIZATION,
    path: (w) => `${policies(w)}/${w.policyId}/attachments`,
    body: (w) => ({ identity_type: 'POLICY_IDENTITY_TYPE_USER', identity_id: w.memberId }),
  },
  'DELETE /auth/v1/memberships/:org_id/policies/attachments/:attachment_id': {
    ...ORGANIZATION,
    path: (w) => `${policies(w)}/attachments/${w.attachmentId}`,
  },
  'GET /auth/v1/memberships/:org_id/members': { ...ORGANIZATION, path: (w) => `${members(w)}/members` },
  'POST /auth/v1/memberships/:org_id/invite': {
    ...ORGANIZATION,
    path: (w) => `${members(w)}/invite`,
    body: () => ({ email: 'new@example.com' }),
  },
  'GET /auth/v1/memberships/:org_id/invitations': {
    ...ORGANIZATION,
    path: (w) => `${members(w)}/invitations`,
  },
  'DELETE /auth/v1/memberships/:org_id/invitations/:invitation_id': {
    ...ORGANIZATION,
    path: (w) => `${members(w)}/invitations/inv_00000000000000000000000000`,
  },
  'PATCH /auth/v1/memberships/:org_id/members/:user_id/status': {
    ...ORGANIZATION,
    path: (w) => `${members(w)}/members/${w.memberId}/status`,
    body: () => ({ status: 'suspended' }),
  },
  'DELETE /auth/v1/memberships/:org_id/members/:user_id': {
    ...ORGANIZATION,
    path: (w) => `${members(w)}/members/${w.memberId}`,
  },
  'PATCH /auth/v1/memberships/:org_id/members/:user_id/role': {
    ...ORGANIZATION,
    path: (w) => `${members(w)}/members/${w.memberId}/role`,
    body: () => ({ role: 'owner' }),
  },
  'GET /organizations/:org_id/requests/v1/failed': {
    ...PROJECT,
    path: (w) => `/organizations/${org(w)}/requests/v1/failed`,
  },
  'GET /billing/v1/plans': {
    ...EVERYBODY,
    path: () => '/billing/v1/plans',
    publishableKey: 403,
    powerless: 403,
  },
  'GET /billing/v1/subscription': {
    ...BILLED,
    path: (w) => `/billing/v1/subscription?org_id=${org(w)}`,
  },
  'GET /billing/v1/storage-usage': {
    ...BILLED,
    path: (w) => `/billing/v1/storage-usage?org_id=${org(w)}`,
  },
  'GET /billing/v1/usage-history': {
    ...BILLED,
    path: (w) => `/billing/v1/usage-history?org_id=${org(w)}`,
  },
  'GET /billing/v1/events': { ...ORGANIZATION, path: (w) => `/billing/v1/events?org_id=${org(w)}` },
  'GET /billing/v1/events/:event_id': {
    ...ORGANIZATION,
    path: (w) => `/billing/v1/events/evt_1?org_id=${org(w)}`,
  },
  'POST /billing/v1/events/:event_id/replay': {
    ...ORGANIZATION,
    path: (w) => `/billing/v1/events/evt_1/replay?org_id=${org(w)}`,
  },
  'POST /auth/v1/logout': { ...BEARER_ONLY, path: () => '/auth/v1/logout' },
  'GET /auth/v1/users/current': { ...BEARER_ONLY, path: () => '/auth/v1/users/current' },
  'GET /auth/v1/users/current/projects': { ...BEARER_ONLY, path: () => '/auth/v1/users/current/projects' },
  'PUT /auth/v1/users/current/password': {
    ...BEARER_ONLY,
    path: () => '/auth/v1/users/current/password',
    body: () => ({ current_password: 'nobody knows it', new_password: 'a long enough one' }),
  },
  'GET /auth/v1/sessions': { ...BEARER_ONLY, path: () => '/auth/v1/sessions' },
  'DELETE /auth/v1/sessions/:session_id': {
    ...BEARER_ONLY,
    path: () => '/auth/v1/sessions/sess_00000000000000000000000000',
  },
  'DELETE /auth/v1/sessions': { ...BEARER_ONLY, path: () => '/auth/v1/sessions' },
}

/** Operations without a credential; each is there for a reason that its own tests show. */
export const PUBLIC = [
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /',
  'GET /console',
  'GET /console/*',
  'PUT /upload/:fileId',
  'POST /upload/:fileId',
  'PATCH /upload/:fileId',
  'DELETE /upload/:fileId',
  'GET /cdn/:projectId/:fileId',
  'GET /cdn/:projectId/:fileId/*',
  'GET /cdn/:projectId/:fileId/download.mp4',
  'GET /cdn/:projectId/:fileId/audio.m4a',
  'GET /cdn/:projectId/:fileId/preview.webp',
  'GET /cdn/:projectId/:fileId/preview.avif',
  'GET /sdk/*',
  'GET /posts/v1/feeds/:feedId',
  'GET /posts/v1/feeds/:feedId/:postId',
  'GET /embed/:feedId',
  'GET /embed/:feedId/:postId',
  'GET /oembed',
  'GET /feeds/:feedId/rss',
  'GET /feeds/:feedId/podcast',
  'POST /auth/v1/login',
  'POST /auth/v1/browser/session',
  'GET /auth/v1/browser/options',
  'GET /auth/v1/browser/openid/:issuer_id',
  'GET /auth/v1/browser/openid/:issuer_id/callback',
  'POST /auth/v1/password-reset',
  'POST /auth/v1/password-reset/complete',
  'POST /auth/v1/browser/invitation',
  'POST /auth/v1/browser/session/invitation',
  'POST /auth/v1/browser/session/link',
  'POST /auth/v1/browser/session/renew',
  'DELETE /auth/v1/browser/session',
  'POST /auth/v1/token',
  'POST /platform/auth/v1/token',
  'POST /auth/v1/invitations/accept',
  'POST /billing/webhooks/:provider',
]
