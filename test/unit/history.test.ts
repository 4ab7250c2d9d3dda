import { expect, test } from 'vitest'
import { type Deed, type History, problemsOf } from '../support/history.ts'

const deed = (kind: Deed['kind'], id: string, status = 200, retryAfter: string | null = null): Deed => ({
  ...{ kind, id, status, retryAfter },
})

const right = (): History => ({
  deeds: [
    deed('image', 'img_1'),
    deed('image', 'img_2', 503, '1'),
    deed('event', 'one'),
    deed('event', 'two', 503, '1'),
    deed('event', 'three', 503, '1'),
    { kind: 'event', id: 'four', status: undefined, retryAfter: null },
    { kind: 'image', id: 'img_3', status: undefined, retryAfter: null },
  ],
  found: {
    images: new Map([['img_1', { isWhole: true }]]),
    // One that was not acknowledged or not answered may have come through.
    events: new Map([
      ['one', 1],
      ['two', 1],
      ['three', 0],
      ['four', 1],
    ]),
  },
})

test('a history in which all went well has no problems', () => {
  expect(problemsOf(right())).toEqual([])
})

test.each<[string, (history: History) => void, string[]]>([
  ['an image is gone', ({ found }) => found.images.clear(), ['image img_1: acknowledged and lost']],
  ['an event is gone', ({ found }) => found.events.set('one', 0), ['event one: acknowledged and lost']],
  [
    'an image is there and cannot be had',
    ({ found }) => found.images.set('img_2', { isWhole: false }),
    ['image img_2: half done'],
  ],
  ['an event is there twice', ({ found }) => found.events.set('two', 2), ['event two: counts 2 times']],
  ['an event comes from nowhere', ({ found }) => found.events.set('six', 1), ['event six: nobody sent it']],
  ['an answer is a failure', ({ deeds }) => deeds.push(deed('event', 'five', 500)), ['event: answered 500']],
  [
    'what is right is refused',
    ({ deeds }) => deeds.push(deed('event', 'five', 401)),
    ['event: refused with 401'],
  ],
  [
    'a 503 does not say when to come again',
    ({ deeds }) => deeds.push(deed('image', 'img_4', 503)),
    ['image: 503 that does not say when to come again'],
  ],
])('it is found that %s', (_, spoil, problems) => {
  const history = right()
  spoil(history)
  expect(problemsOf(history)).toEqual(problems)
})
