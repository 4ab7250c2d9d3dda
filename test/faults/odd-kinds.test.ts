import { findOwnMedia } from '../support/videos/own-media.ts'
import { testThatFilesPlay, testThatPlays } from '../support/videos/plays.ts'
import { type SourceKind, sourceKinds } from '../support/videos/sources.ts'

/** One of each way in which a video can be awkward; all of them in the long run. */
const USUAL: SourceKind[] = [
  'webm-vp8-vorbis',
  'avi-mpeg4-mp3',
  'odd-size',
  'one-frame-long-audio',
  'partial-audio',
  'start-time-mkv',
  'edit-list',
]
/** A transport stream is none of the formats that are taken. */
const PLAYED = sourceKinds.filter((kind) => kind !== 'start-time-ts')

testThatPlays(process.env.MARQUEE_TEST_LONG === '1' ? PLAYED : USUAL)
testThatFilesPlay((await findOwnMedia()).videos)
