import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '../../server/base/ids.ts'
import { placesBetween } from '../../server/feeds/posts/places.ts'

const isAscending = (places: string[]) =>
  places.every((place, i) => i === 0 || (places[i - 1]! < place && /^post_[0-9a-z]{26,}$/.test(place)))

test('between any two places there are others, also below the lowest and above the highest', () => {
  const time = fc.integer({ min: 0, max: 2 ** 45 })
  const where = fc.array(fc.nat(), { maxLength: 60 })
  fc.assert(
    fc.property(time, time, where, fc.integer({ min: 1, max: 40 }), (one, other, spots, count) => {
      const places: string[] = [newId('post', one), newId('post', other)].sort()
      for (const spot of spots) {
        const i = spot % (places.length + 1)
        const fresh = placesBetween(places[i - 1], places[i], spot % 3 ? 1 : count)
        places.splice(i, 0, ...fresh)
        if (!isAscending(places)) return false
      }
      return true
    }),
  )
})

test('moving to either end does not make places longer', () => {
  let [lowest, highest] = [newId('post') as string, newId('post') as string].sort() as [string, string]
  for (let i = 0; i < 200; i++) {
    // As time goes on, which it does between two requests.
    for (const now = Date.now(); Date.now() === now; );
    highest = placesBetween(highest, undefined, 1)[0]!
    lowest = placesBetween(undefined, lowest, 1)[0]!
  }
  expect(Math.max(lowest.length, highest.length)).toBeLessThan(60)
  // A post that is made later is above all of them.
  expect(newId('post', Date.now() + 1) > highest).toBe(true)
})

test('the same gap gives another place each time: one may come back from the trash', () => {
  const [lower, upper] = [newId('post', 1), newId('post', 2)]
  const drawn = Array.from({ length: 1000 }, () => placesBetween(lower, upper, 1)[0]!)
  expect(new Set(drawn).size).toBe(drawn.length)
})
