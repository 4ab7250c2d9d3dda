// Events in, reports out: what the start puts together.

export { ERASE_EVENTS, enqueueErasure } from './events/erase-events.ts'
export { openAnalytics } from './open-analytics.ts'
