import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Probe } from '../../../server/media/video/description.ts'
import { type Packet, Pictures } from '../../../server/media/video/pictures.ts'
import { CLOCK, timelineOf } from '../../../server/media/video/timeline.ts'

/** Groups of pictures: each opens with a key picture, shown first; the others are decoded in any order. */
const groups = fc.array(
  fc.record({
    gaps: fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 60 }),
    shuffle: fc.integer({ min: 0, max: 1000 }),
  }),
  { minLength: 1, maxLength: 12 },
)

function packetsOf(made: { gaps: number[]; shuffle: number }[], zero: number): Packet[] {
  let time = zero
  const packets: Packet[] = []
  for (const { gaps, shuffle } of made) {
    const shown = gaps.map((gap) => {
      const at = time
      time += gap
      return { pts: at, duration: gap }
    })
    const [key, ...rest] = shown
    // Every so often a later picture is decoded before two earlier ones.
    for (let i = shuffle % 3; i + 2 < rest.length; i += 3) rest.splice(i, 0, rest.splice(i + 2, 1)[0]!)
    for (const [i, one] of [key!, ...rest].entries())
      packets.push({ ...one, dts: packets.length, size: 100, key: i === 0, discarded: false })
  }
  return packets
}

function probeOf(packets: Packet[], audioEnd?: number): Probe {
  const pictures = new Pictures(1)
  for (const packet of packets) pictures.push(packet)
  return {
    container: 'mov,mp4',
    pictures,
    video: { timeBase: { num: 1, den: 1000 } },
    audio: audioEnd === undefined ? [] : [{ end: audioEnd }],
  } as unknown as Probe
}

test('segments follow each other and share out all pictures, whatever their times', () => {
  fc.assert(
    fc.property(
      groups,
      fc.integer({ min: -5000, max: 5000 }),
      fc.boolean(),
      fc.option(fc.integer({ min: 0, max: 300 }), { nil: undefined }),
      (made, zero, wantCopy, audioEnd) => {
        const packets = packetsOf(made, zero)
        const { segments, end } = timelineOf(probeOf(packets, audioEnd), wantCopy)
        const edges = [...segments.map(({ start }) => start), end]
        expect(edges[0]).toBe(0)
        for (let i = 0; i < segments.length; i++) {
          expect(edges[i + 1]!).toBeGreaterThan(edges[i]!)
          expect(edges[i + 1]! - edges[i]!).toBeLessThanOrEqual(20 * CLOCK)
        }
        const opening = segments.filter((segment) => !segment.held)
        for (const { pts } of packets) {
          const owners = opening.filter(
            ({ from }, i) => pts >= from && pts < (opening[i + 1]?.from ?? Number.POSITIVE_INFINITY),
          )
          expect(owners).toHaveLength(1)
          // Shown within its segment, to the tick.
          const time = ((pts - packets[0]!.pts) * CLOCK) / 1000
          const owner = segments.indexOf(owners[0]!)
          expect(time).toBeGreaterThanOrEqual(edges[owner]!)
          expect(time).toBeLessThan(edges[owner + 1]!)
        }
        for (const { from, held, start } of segments) {
          const shown = packets.filter(({ pts }) => ((pts - packets[0]!.pts) * CLOCK) / 1000 < start)
          if (held) expect(from).toBe(Math.max(...shown.map(({ pts }) => pts)))
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('what can be copied is cut only where everything before is decoded before', () => {
  fc.assert(
    fc.property(groups, (made) => {
      const packets = packetsOf(made, 0)
      const { segments, copyable, end } = timelineOf(probeOf(packets), true)
      const keys = packets.filter((packet) => packet.key).map(({ pts }) => pts)
      const furthest = Math.max(...keys.map((key, i) => (keys[i + 1] ?? (end * 1000) / CLOCK) - key))
      if (furthest > 10_000) expect(copyable).toBe(false)
      if (!copyable) return
      for (const { from } of segments) {
        const at = packets.findIndex(({ pts }) => pts === from)
        expect(packets[at]!.key).toBe(true)
        expect(packets.slice(0, at).every(({ pts }) => pts < from)).toBe(true)
        expect(packets.slice(at).every(({ pts }) => pts >= from)).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
})

test('open groups of pictures are not copied', () => {
  // The second key picture is followed by one that is shown before it.
  const times = [0, 40, 80, 160, 120, 200]
  const packets = times.map((pts, dts) => ({
    pts,
    dts,
    duration: 40,
    size: 1,
    key: dts % 3 === 0,
    discarded: false,
  }))
  expect(timelineOf(probeOf(packets), true).copyable).toBe(false)
  const closed = packets.map((packet, i) => ({ ...packet, pts: i * 40 }))
  expect(timelineOf(probeOf(closed), true).copyable).toBe(true)
})

test('a film that begins before its first key picture is not copied', () => {
  const [first, ...others] = packetsOf(Array(3).fill({ gaps: Array(50).fill(40), shuffle: 0 }), 0)
  expect(timelineOf(probeOf([first!, ...others]), true).copyable).toBe(true)
  const { copyable, segments } = timelineOf(probeOf([{ ...first!, key: false }, ...others]), true)
  expect([copyable, segments[0]]).toEqual([false, { start: 0, from: 0, seek: undefined, held: false }])
})

test('a picture is read from a key picture that is shown before it', () => {
  fc.assert(
    fc.property(groups, (made) => {
      const packets = packetsOf(made, 0)
      for (const { from, seek } of timelineOf(probeOf(packets), false).segments) {
        const key = packets.filter((packet) => packet.key && packet.pts <= from).at(-1)!
        expect(seek).toBe(key === packets[0] ? undefined : key.dts * 1000)
      }
    }),
  )
})
