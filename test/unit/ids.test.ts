import { expect, test } from 'vitest'
import { idPattern, newId, newIdSuffix } from '../../server/base/ids.ts'

test('ids fit their pattern and sort by time', () => {
  expect(newId('project')).toMatch(new RegExp(idPattern('project')))
  expect(newId('project')).not.toMatch(new RegExp(idPattern('policy')))
  const times = [0, 1, 31, 32, 1_700_000_000_000, 1_700_000_000_001, 2 ** 48 - 1]
  const suffixes = times.map((time) => newIdSuffix(time))
  expect([...suffixes].sort()).toEqual(suffixes)
  for (const suffix of suffixes) expect(suffix).toHaveLength(26)
})

test('ids do not repeat', () => {
  const ids = Array.from({ length: 10_000 }, () => newIdSuffix(1))
  expect(new Set(ids).size).toBe(10_000)
})

test.each([
  'proj_',
  'proj_short',
  'vid_01arz3ndektsv4rrffq69g5fav',
  'proj_01arz3ndektsv4rrffq69g5fai',
  'proj_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  ' proj_01arz3ndektsv4rrffq69g5fav',
])('%j is malformed', (text) => expect(text).not.toMatch(new RegExp(idPattern('project'))))
