import { expect, test } from 'vitest'
import { faultsIn } from './check-history.ts'

const told = (...messages: string[]) =>
  messages.map((message) => {
    const [image_id = '', type = '', id = `${image_id} ${type}`] = message.split(' ')
    return { id, type, timestamp: '', data: { image_id } }
  })
const happened = new Map([['a', ['ready', 'deleted']]])

test('the checker takes a history that is right, with repetitions', () => {
  expect(faultsIn(told('a ready', 'a ready', 'a deleted'), happened)).toEqual([])
  expect(faultsIn(told('a ready', 'a deleted', 'b ready'), happened, new Map([['b', ['ready']]]))).toEqual([])
  expect(faultsIn(told('a ready'), new Map([['a', ['ready']]]), new Map([['a', ['deleted']]]))).toEqual([])
})

test.each([
  ['something is missing', told('a ready')],
  ['the order is wrong', told('a deleted', 'a ready')],
  ['something did not happen', told('a ready', 'a deleted', 'b ready')],
  ['something is told under two ids', told('a ready', 'a ready other', 'a deleted')],
  ['something comes again after what follows it', told('a ready', 'a deleted', 'a ready')],
])('the checker sees that %s', (_, history) => {
  expect(faultsIn(history, happened)).not.toEqual([])
})
