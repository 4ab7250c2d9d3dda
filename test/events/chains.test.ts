import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Chain, furthestChain } from '../../server/platform/events/chains.ts'

interface Happened {
  time: number
  matches: number
}

/** By the words of the definition: every start is tried, and every step looks for the next match. */
function obvious(trail: Happened[], steps: number, window: number): Chain {
  const matches = (event: Happened, step: number) => (event.matches >> step) % 2 === 1
  let best: { depth: number; took: number } | undefined
  trail.forEach((start, i) => {
    if (!matches(start, 0)) return
    let [depth, at, last] = [1, i, start]
    while (depth < steps) {
      const next = trail.findIndex((event, j) => j > at && matches(event, depth))
      if (next < 0 || trail[next]!.time - start.time > window) break
      at = next
      last = trail[next]!
      depth++
    }
    if (!best || depth > best.depth) best = { depth, took: last.time - start.time }
  })
  return { depth: best?.depth ?? 0, took: best?.depth === steps ? best.took : undefined }
}

const funnels = fc.integer({ min: 1, max: 5 }).chain((steps) =>
  fc.record({
    steps: fc.constant(steps),
    window: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constant(Number.POSITIVE_INFINITY)),
    trail: fc
      .array(
        fc.record({
          time: fc.integer({ min: 0, max: 30 }),
          matches: fc.integer({ min: 0, max: 2 ** steps - 1 }),
        }),
        { maxLength: 25 },
      )
      // Ties in time stay in the order of their arrival.
      .map((trail) => trail.toSorted((a, b) => a.time - b.time)),
  }),
)

test('the furthest chain is the one that the definition names', () => {
  let through = 0
  fc.assert(
    fc.property(funnels, ({ steps, window, trail }) => {
      const found = furthestChain(
        { times: trail.map(({ time }) => time), matches: trail.map(({ matches }) => matches) },
        steps,
        window,
      )
      expect(found).toEqual(obvious(trail, steps, window))
      if (found.took !== undefined) through++
    }),
    { numRuns: process.env.MARQUEE_TEST_LONG ? 100_000 : 5000 },
  )
  expect(through).toBeGreaterThan(500)
})

test.each([
  ['A→B→A is not A→A→B', [0b01, 0b10, 0b01], 2, 10, { depth: 2, took: 1 }],
  ['one event serves one step', [0b11], 2, 10, { depth: 1, took: undefined }],
  ['a repeated step needs two events', [0b11, 0b11], 2, 10, { depth: 2, took: 1 }],
  ['a later start that is still in time counts', [0b01, 0b01, 0b00, 0b10], 2, 2, { depth: 2, took: 2 }],
  ['without the first step there is no chain', [0b10, 0b10], 2, 10, { depth: 0, took: undefined }],
  ['nothing happened', [], 3, 10, { depth: 0, took: undefined }],
] as const)('%s', (_, matches, steps, window, expected) => {
  expect(furthestChain({ times: [...matches.keys()], matches }, steps, window)).toEqual(expected)
})

test('twenty steps', () => {
  const matches = Array.from({ length: 20 }, (_, i) => 1 << i)
  expect(furthestChain({ times: [...matches.keys()], matches }, 20, 19)).toEqual({ depth: 20, took: 19 })
  expect(furthestChain({ times: [...matches.keys()], matches }, 20, 18)).toEqual({
    depth: 19,
    took: undefined,
  })
})
