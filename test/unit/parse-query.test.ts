import fc from 'fast-check'
import { parse } from 'fast-querystring'
import { expect, test } from 'vitest'
import { parseQuery } from '../../server/http/parse-query.ts'

test('a query is what the framework makes of it, also where it is read in one piece', () => {
  const letters = ['a', 'b', '=', '&', '%', '4', '1', '+', '.', '-', '__proto__', 'ü'] as const
  const text = fc.array(fc.constantFrom(...letters)).map((all) => all.join(''))
  fc.assert(
    fc.property(text, (query) => {
      expect({ ...parseQuery(query) }).toEqual({ ...parse(query) })
    }),
    { numRuns: 5000 },
  )
  expect(parseQuery('token=a.b-c_d')).toEqual({ token: 'a.b-c_d' })
})
