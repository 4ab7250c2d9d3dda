import { expect, test } from 'vitest'
import { EventsUnavailable } from '../../server/platform/events/errors.ts'
import { reportQueue } from '../../server/platform/events/report-queue.ts'

const NEVER = new AbortController().signal

/** A queue whose reports end when they are told to. */
function scene(waitingEach = 1000) {
  const queue = reportQueue({ atOnce: 3, waitingEach })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    queue,
    started,
    ask(name: string, size: number, { signal = NEVER, isLarge = size >= 100 } = {}) {
      return queue.run({ organization: name[0]!, size, isLarge }, signal, () => {
        started.push(name)
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
      })
    },
    async end(name: string) {
      ends.get(name)!()
      // Whoever is next starts in a few turns of the queue of microtasks.
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('a hundred large reports of one tenant leave a place for another’s', async () => {
  const { ask, started, end } = scene()
  for (let i = 0; i < 100; i++) void ask(`a${i}`, 1000)
  void ask('b small', 1)
  await settle()
  expect(started).toEqual(['a0', 'a1', 'b small'])
  // A large one comes as soon as one of the two that run has ended.
  void ask('b large', 1000)
  await end('b small')
  expect(started).toHaveLength(3)
  await end('a0')
  expect(started.at(-1)).toBe('b large')
  await end('a1')
  expect(started.at(-1)).toBe('a2')
})

test('tenants take turns, however many reports each has', async () => {
  const { ask, started, end } = scene()
  for (let i = 0; i < 10; i++) void ask(`a${i}`, 1)
  for (let i = 0; i < 3; i++) void ask(`b${i}`, 1)
  void ask('c0', 1)
  await settle()
  for (let i = 0; i < 8; i++) await end(started[i]!)
  expect(started.slice(0, 8).toSorted()).toEqual(['a0', 'a1', 'a2', 'a3', 'b0', 'b1', 'b2', 'c0'])
})

test('of one tenant’s reports the small come first, and of the same size the first', async () => {
  const { ask, started, end } = scene()
  for (const [name, size] of [
    ['a', 1000],
    ['a', 1000],
    ['a late', 500],
    ['a soon', 2],
    ['a sooner', 1],
    ['a too', 2],
  ] as const)
    void ask(`${name}${started.length}${size}${Math.random()}`, size)
  await settle()
  while (started.length < 6) await end(started[started.length - 2]!)
  expect(started.slice(2).map((name) => name.replace(/\d.*/, ''))).toEqual([
    'a sooner',
    'a soon',
    'a too',
    'a late',
  ])
})

test('who stops waiting leaves the queue; a place is free when the work has ended', async () => {
  const { ask, queue, started, end } = scene()
  const gone = new AbortController()
  void ask('a0', 1, { signal: gone.signal })
  void ask('a1', 1)
  const waiting = ask('a2', 1, { signal: gone.signal })
  void ask('a3', 1)
  expect([queue.running(), queue.waiting()]).toEqual([2, 2])
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(ask('a4', 1, { signal: gone.signal })).rejects.toThrow('gone')
  expect([queue.running(), queue.waiting()]).toEqual([2, 1])
  await end('a0')
  expect(started).toEqual(['a0', 'a1', 'a3'])
})

test('no tenant has more waiting than the limit, and others are not concerned', async () => {
  const { ask, started } = scene(2)
  for (let i = 0; i < 4; i++) void ask(`a${i}`, 1)
  await expect(ask('a4', 1)).rejects.toBeInstanceOf(EventsUnavailable)
  void ask('b0', 1)
  await settle()
  expect(started).toEqual(['a0', 'a1', 'b0'])
})
