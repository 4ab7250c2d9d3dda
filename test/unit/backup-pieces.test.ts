import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inOrder, linesIn, piecesOf } from '../../server/backup/pieces.ts'

async function* of<T>(...items: T[]): AsyncGenerator<T> {
  yield* items
}
async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

test('however content comes, it is cut at the same places, and the last piece is known as such', async () => {
  const content = Buffer.from('abcdefghij')
  const cut = async (...parts: Buffer[]) =>
    (await all(piecesOf(of(...parts), (i) => (i === 0 ? 3 : 2)))).map(
      ({ bytes, isLast }) => `${bytes}${isLast ? '.' : ''}`,
    )
  const expected = ['abc', 'de', 'fg', 'hi', 'j.']
  expect(await cut(content)).toEqual(expected)
  expect(await cut(...[...content].map((byte) => Buffer.from([byte])))).toEqual(expected)
  expect(await cut(content.subarray(0, 4), content.subarray(4))).toEqual(expected)
  expect(await cut(content.subarray(0, 5))).toEqual(['abc', 'de.'])
  expect(await cut()).toEqual(['.'])
})

test('work beside each other is answered in order, and a failure ends it once nothing is under way', async () => {
  let [running, most] = [0, 0]
  const work = async (milliseconds: number) => {
    most = Math.max(most, ++running)
    await sleep(milliseconds)
    running--
    if (milliseconds === 7) throw new Error('seven')
    return milliseconds
  }
  expect(await all(inOrder(of(30, 1, 20, 2, 3), 3, work))).toEqual([30, 1, 20, 2, 3])
  expect(most).toBe(3)
  await expect(all(inOrder(of(7, 30, 30, 30), 3, work))).rejects.toThrow('seven')
  expect(running).toBe(0)
})

test('lines are found wherever the text is cut', async () => {
  const text = Buffer.from('one\nzwei ü\n\nfour')
  const expected = ['one', 'zwei ü', '', 'four']
  expect(await all(linesIn(of(text)))).toEqual(expected)
  expect(await all(linesIn(of(...[...text].map((byte) => Buffer.from([byte])))))).toEqual(expected)
})
