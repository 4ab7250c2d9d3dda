import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { installPacked } from '../support/packed.ts'

const PLAIN = `
import { createTracker } from '@marquee/tracker'
const tracker = createTracker({ url: process.env.MARQUEE_BASE_URL, key: process.env.KEY, viewerId: 'ada' })
tracker.engagement({ engagement_type: 'like', resource_id: 'post_1' })
await tracker.close()
`

const STRICT = `
import { createTracker, type AttachOptions, type PlayState, type Tracker, type TrackerOptions } from '@marquee/tracker'
import type { ClientError, ContentType, ContentView, Engagement, Interaction, Quality, ViewPage, WatchedSegment } from '@marquee/tracker'
const tracker: Tracker = createTracker({ key: 'mq_pk_a' })
const state = (): PlayState => ({ quality: 1080, subtitle: 'pt' })
const options: AttachOptions = { contentId: 'vid_1', page: 'feed', state }
export const detach: () => void = tracker.attach(document.createElement('video'), options)
tracker.interaction({ interaction_type: 'click', click_x: 1 })
export const more: TrackerOptions = { key: 'mq_pk_a', viewerId: 'ada' }
const quality: Quality = 'VIDEO_QUALITY_PRO'
const segment: WatchedSegment = { start_ms: '0.000s', end_ms: '1.500s', speed: 2, quality }
const type: ContentType = 'MEDIA_TYPE_VIDEO'
const page: ViewPage = 'feed'
export const view: ContentView = { content_id: 'vid_1', content_type: type, page, view_type: 'watch', segments: [segment] }
const like: Engagement = { engagement_type: 'like', resource_id: 'post_1' }
const click: Interaction = { interaction_type: 'click', element_id: 'a' }
tracker.engagement(like)
tracker.interaction(click)
export const error: ClientError = { error_code: 'a' }
// @ts-expect-error: a view is of one of the kinds there are.
export const wrong: ContentView = { view_type: 'glance' }
// @ts-expect-error: there is no such field.
tracker.engagement({ engagement: 'like' })
// @ts-expect-error: a key is needed.
createTracker({})
`

test('packed and installed in a fresh project, it works in JavaScript and in strict TypeScript', async () => {
  const { url, seed, api } = await composeForTest()
  const { names, runScript, checkTypes } = await installPacked('tracker')
  expect(names).toEqual(expect.arrayContaining(['README.md', 'dist/index.js', 'dist/index.d.ts']))
  await runScript(PLAIN, { MARQUEE_BASE_URL: url, KEY: seed.publishable_key })
  const { body } = await api.get('/analytics/v1/realtime')
  expect(body.top_events).toEqual(expect.arrayContaining([{ event_type: 'engagement', count: 1 }]))
  await checkTypes(STRICT)
})
