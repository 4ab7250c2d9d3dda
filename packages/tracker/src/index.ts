// Tells Marquee what a page’s viewers watched. The service serves it to pages under /sdk/tracker/.

export type {
  ClientError,
  ContentType,
  ContentView,
  Engagement,
  Interaction,
  Quality,
  ViewPage,
  WatchedSegment,
} from './events.ts'
export { createTracker, type Tracker, type TrackerOptions } from './tracker.ts'
export type { AttachOptions, PlayState } from './watch-video.ts'
