// Events in, reports out: what the start puts together.

export { openAnalytics } from './open-analytics.ts'
