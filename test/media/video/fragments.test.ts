import fc from 'fast-check'
import { expect, test } from 'vitest'
import { find, inside } from '../../../server/media/video/boxes.ts'
import {
  type Mp4Sample,
  readFragment,
  showTimes,
  writeSegment,
} from '../../../server/media/video/fragments.ts'

/** Pictures in an order of decoding that differs from that of showing by a few places. */
const pictures = fc
  .array(fc.record({ gap: fc.integer({ min: 300, max: 90_000 }), bytes: fc.integer({ min: 1, max: 50 }) }), {
    minLength: 1,
    maxLength: 40,
  })
  .chain((made) =>
    fc.tuple(fc.constant(made), fc.array(fc.nat(3), { minLength: made.length, maxLength: made.length })),
  )

function samplesOf(made: { gap: number; bytes: number }[], places: number[], start: number): Mp4Sample[] {
  let time = start
  const samples = made.map(({ gap, bytes }, i) => {
    const sample = { time, data: Buffer.alloc(bytes, i), sync: i === 0 }
    time += gap
    return sample
  })
  for (let i = 1; i < samples.length; i++)
    samples.splice(i, 0, samples.splice(Math.min(samples.length - 1, i + places[i]!), 1)[0]!)
  return samples
}

test('a segment shows its pictures when it was told to, and lasts as long as it was told to', () => {
  fc.assert(
    fc.property(pictures, fc.nat(10_000_000), fc.nat(10_000), ([made, places], start, more) => {
      const samples = samplesOf(made, places, start)
      const end = Math.max(...samples.map(({ time }) => time)) + 1 + more
      const segment = writeSegment(samples, { start, end, number: 6 })
      const [moof, mdat] = inside(segment, 0)
      const read = readFragment(moof!.bytes, mdat!.bytes)
      expect(read).toEqual(samples)
      expect(showTimes(segment)).toEqual(samples.map(({ time }) => time).sort((a, b) => a - b))

      const traf = find(moof!.bytes, 'traf')!
      expect(Number(find(traf, 'tfdt')!.readBigUInt64BE(12))).toBe(start)
      const trun = find(traf, 'trun')!
      const durations = samples.map((_, i) => trun.readUInt32BE(20 + 16 * i))
      expect(durations.every((duration) => duration > 0)).toBe(true)
      expect(start + durations.reduce((sum, duration) => sum + duration, 0)).toBe(end)
      // No picture is shown before it is decoded.
      const offsets = samples.map((_, i) => trun.readInt32BE(32 + 16 * i))
      expect(offsets.every((offset) => offset >= 0)).toBe(true)
    }),
    { numRuns: 500 },
  )
})
