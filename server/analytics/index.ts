// Events in, reports out: what the start puts together.

export { DUMP_EVENTS } from './events/dump-events.ts'
export { ERASE_EVENTS, enqueueErasure } from './events/erase-events.ts'
export { openAnalytics } from './open-analytics.ts'
export { DELETE_VIEWER } from './viewers/delete-viewer.ts'
