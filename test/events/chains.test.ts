import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countChains, furthestChain, type Trail } from '../../server/platform/events/chains.ts'

interface Happened {
  time: number
  matches: number
}

/** By the words of the definition: every start is tried, and every step looks for the next match. */
function obvious(trail: Happened[], steps: number, window: number): number[] {
  const matches = (event: Happened, step: number) => (event.matches >> step) % 2 === 1
  let best: number[] = []
  trail.forEach((start, i) => {
    if (!matches(start, 0)) return
    let at = i
    const chain = [start.time]
    while (chain.length < steps) {
      const next = trail.findIndex((event, j) => j > at && matches(event, chain.length))
      if (next < 0 || trail[next]!.time - start.time > window) break
      at = next
      chain.push(trail[next]!.time)
    }
    if (chain.length > best.length) best = chain
  })
  return best
}

/** When the chain gets to each of its steps. */
function timesOf(trail: Trail, steps: number, window: number): number[] {
  const { depth, at } = furthestChain(trail, steps, window)
  return Array.from(at).slice(0, depth)
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
  let [through, short] = [0, 0]
  fc.assert(
    fc.property(funnels, ({ steps, window, trail }) => {
      const found = timesOf(
        { times: trail.map(({ time }) => time), matches: trail.map(({ matches }) => matches) },
        steps,
        window,
      )
      expect(found).toEqual(obvious(trail, steps, window))
      if (found.length === steps) through++
      else if (found.length > 1) short++
    }),
    { numRuns: process.env.MARQUEE_TEST_LONG ? 100_000 : 5000 },
  )
  expect(through).toBeGreaterThan(500)
  expect(short).toBeGreaterThan(200)
})

test.each([
  ['A→B→A is not A→A→B', [0b01, 0b10, 0b01], 2, 10, [0, 1]],
  ['one event serves one step', [0b11], 2, 10, [0]],
  ['a repeated step needs two events', [0b11, 0b11], 2, 10, [0, 1]],
  ['a later start that is still in time counts', [0b01, 0b01, 0b00, 0b10], 2, 2, [1, 3]],
  ['of those that get as far, the first counts', [0b001, 0b010, 0b001, 0b010], 3, 10, [0, 1]],
  ['without the first step there is no chain', [0b10, 0b10], 2, 10, []],
  ['nothing happened', [], 3, 10, []],
] as const)('%s', (_, matches, steps, window, expected) => {
  expect(timesOf({ times: [...matches.keys()], matches }, steps, window)).toEqual(expected)
})

test('twenty steps', () => {
  const matches = Array.from({ length: 20 }, (_, i) => 1 << i)
  const times = [...matches.keys()]
  expect(timesOf({ times, matches }, 20, 19)).toEqual(times)
  expect(timesOf({ times, matches }, 20, 18)).toEqual(times.slice(0, 19))
})

test('times add up exactly, also beyond what a number holds', () => {
  const chains = countChains(3)
  const [year, viewers] = [31_556_952_000_001, 1000]
  for (let i = 0; i < viewers; i++) chains.add({ times: [0, year, 2 * year + 1], matches: [1, 2, 4] })
  chains.add({ times: [5, 7], matches: [1, 2] })
  chains.add({ times: [5], matches: [4] })
  expect(chains.counts()).toEqual({
    reached: [viewers + 1, viewers + 1, viewers],
    gaps: [0n, BigInt(year) * 1000n + 2n, BigInt(year + 1) * 1000n],
    took: BigInt(2 * year + 1) * 1000n,
  })
})
