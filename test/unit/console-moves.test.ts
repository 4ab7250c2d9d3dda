import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyMove, moveTo, placeOf } from '../../console/src/pages/feeds/moves.ts'

const feed = fc
  .uniqueArray(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 12 })
  .map((numbers) => numbers.map((number) => ({ id: `post_${number}` })))

/** As on a table: taken out of the row, and put down again at a place. */
function taken<T>(row: T[], from: number, to: number): T[] {
  const rest = row.slice(0, from).concat(row.slice(from + 1))
  return rest.slice(0, to).concat([row[from]!], rest.slice(to))
}

test('a post that is moved to a place is there, and what takes it back brings it back', () => {
  fc.assert(
    fc.property(feed, fc.nat(), fc.nat(), (posts, first, second) => {
      const [from, to] = [first % posts.length, second % posts.length]
      const { id } = posts[from]!
      const move = moveTo(posts, id, to)
      const moved = move ? applyMove(posts, move) : posts
      expect(moved).toEqual(taken(posts, from, to))
      const back = placeOf(posts, id)
      expect(back ? applyMove(moved, back) : moved).toEqual(posts)
    }),
  )
})

test('a move beside a post that is gone changes nothing', () => {
  const posts = [{ id: 'post_a' }, { id: 'post_b' }]
  expect(applyMove(posts, { id: 'post_a', after: 'post_gone' })).toBe(posts)
  expect(applyMove(posts, { id: 'post_gone', after: 'post_a' })).toBe(posts)
})
