import { expectTypeOf, test } from 'vitest'
import type { Schemas } from '../../packages/client/src/index.ts'
import type { ContentView, Kinds, WatchedSegment } from '../../packages/tracker/src/events.ts'

type Described = Required<Omit<Schemas['AnalyticsEvent'], 'timestamp'>>
/** Written out, however its parts are put together. */
type Flat<T> = { [K in keyof T]: T[K] }
type Views = 'content_view'

// Where a field is missing on either side, or is of another type, `npm run types` fails.
test('the tracker’s types have the fields that the events operation takes, and no others', () => {
  type Ours = { [K in keyof Omit<Kinds, Views>]: Flat<Kinds[K]> }
  type Theirs = { [K in keyof Omit<Described, Views>]: Flat<Described[K]> }
  expectTypeOf<Ours>().toEqualTypeOf<Theirs>()
  expectTypeOf<keyof Kinds>().toEqualTypeOf<keyof Described>()
  expectTypeOf<Flat<Omit<ContentView, 'segments'>>>().toEqualTypeOf<
    Flat<Omit<Described[Views], 'segments'>>
  >()
  expectTypeOf<keyof ContentView>().toEqualTypeOf<keyof Described[Views]>()
  // The service takes a segment without its times; one that was watched has them.
  expectTypeOf<Partial<WatchedSegment>>().toEqualTypeOf<Schemas['WatchedSegment']>()
})
