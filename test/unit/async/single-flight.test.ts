import { expect, test } from 'vitest'
import { singleFlight } from '../../../server/base/async/single-flight.ts'

test('calls of one key share the run under way; another key and a later call have their own', async () => {
  const fly = singleFlight()
  const gate = Promise.withResolvers<void>()
  let runs = 0
  const work = async () => {
    const run = ++runs
    await gate.promise
    return run
  }
  const together = [fly('a', work), fly('a', work), fly('b', work)]
  gate.resolve()
  expect(await Promise.all(together)).toEqual([1, 1, 2])
  expect(await fly('a', work)).toBe(3)
})

test('a run that fails does so for all who share it, and is tried again by the next call', async () => {
  const fly = singleFlight()
  const fail = async (): Promise<string> => {
    throw new Error('away')
  }
  const both = await Promise.allSettled([fly('a', fail), fly('a', async () => 'not run')])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await fly('a', async () => 'back')).toBe('back')
})
