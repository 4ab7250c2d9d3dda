/** Operations of the interface that are not served yet. This list only ever gets shorter. */
export const PENDING = [
  'POST /feeds',
  'GET /feeds',
  'POST /feeds/{feedId}/content',
  'GET /feeds/{feedId}',
  'GET /feeds/{feedId}/{postId}',
  'GET /posts/v1/feeds/{feedId}/{postId}',
  'GET /posts/v1/projects/{projectId}/feeds/{feedId}/posts/{postId}',
  'POST /posts/v1/projects/{projectId}/feeds/{feedId}/posts/upload/init',
  'POST /posts/v1/projects/{projectId}/feeds/{feedId}/posts/upload/complete',
  'POST /analytics/v1/funnels',
  'GET /analytics/v1/top/videos',
  'POST /analytics/v1/events',
  'POST /billing/webhooks/{provider}',
]
