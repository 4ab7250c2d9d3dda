/** Operations of the interface that are not served yet. This list only ever gets shorter. */
export const PENDING = [
  'POST /analytics/v1/funnels',
  'GET /analytics/v1/top/videos',
  'POST /analytics/v1/events',
]
