import { expect, test } from 'vitest'
import { peakBitRate } from '../support/hls/bandwidth.ts'
import { findWindow } from '../support/hls/correlation.ts'
import type { Track } from '../support/hls/download.ts'
import { checkFrames } from '../support/hls/frames.ts'
import { checkFrameRate } from '../support/hls/picture.ts'
import type { Variant } from '../support/hls/playlist.ts'

test('frames may be those of the source, more of them where a picture is held, or fewer', () => {
  const source = [3, 3.04, 3.08, 15]
  const own = [0, 0.0405, 0.08, 12]
  expect(checkFrames(own, source, {})).toEqual([])
  expect(checkFrames([0, 0.0412, 0.08, 12], source, {})).toEqual([
    'frame 1 is at 0.0412 s, and in the source at 0.0400',
  ])
  const held = [0, 0.04, 0.08, 6, 12, 18]
  expect(checkFrames(held, source, { frameTimes: 'held' })).toEqual([])
  expect(checkFrames(held, source, { frameTimes: 'held', frames: 7 })).toEqual(['6 frames instead of 7'])
  expect(checkFrames([0, 0.08, 6, 12], source, { frameTimes: 'held' })).toEqual([
    'the frame at 0.0400 s of the source is missing',
  ])
  expect(checkFrames([0, 0.08, 12], source, { frameTimes: 'subset' })).toEqual([])
  expect(checkFrames([0, 0.06, 12], source, { frameTimes: 'subset' })).toEqual([
    'the frame at 0.0600 s is none of the source',
  ])
  expect(checkFrames([0.04, 0.08], source, { frameTimes: 'skip' })).toEqual([
    'the first frame is at 0.0400 s, not at 0',
  ])
  expect(checkFrames([0, 0.04, 0.04], source, { frameTimes: 'skip' })).toEqual([
    'frame 2 is not later than the one before',
  ])
})

test('a frame rate may be the average or the highest, and nothing beyond', () => {
  const rate = (frameRate: number) => checkFrameRate({ frameRate } as Variant, [0, 0.02, 0.1, 0.2])
  expect(rate(15)).toEqual([])
  expect(rate(50)).toEqual([])
  expect(rate(14)).toHaveLength(1)
  expect(rate(60)).toHaveLength(1)
})

test('a peak is that of neighbours who together last about a target duration', () => {
  const track = (targetDuration: number, ...pieces: [duration: number, bytes: number][]) =>
    ({
      playlist: { targetDuration },
      pieces: pieces.map(([duration, bytes]) => ({ duration, bytes })),
    }) as Track
  expect(peakBitRate(track(6, [6, 6000], [6, 12_000], [6, 3000]))).toBe(16_000)
  // The last is too short to count for itself.
  expect(peakBitRate(track(6, [6, 6000], [2, 6000]))).toBe(12_000)
  expect(peakBitRate(track(6, [2, 6000]))).toBe(24_000)
})

test('a piece of sound is found where it is', () => {
  const sound = Int16Array.from({ length: 4000 }, (_, i) => 9000 * Math.sin(i * i * 0.0007))
  const late = Int16Array.from({ length: 4000 }, (_, i) => sound[i - 37] ?? 0)
  const where = { from: 1000, length: 1500, reach: 200, near: 20, sharpness: 0.9 }
  const { best, closest } = findWindow(sound, late, where)
  expect(best.lag).toBe(37)
  expect(best.likeness).toBeCloseTo(1)
  expect(closest.likeness).toBeLessThan(0.5)
})
