import { describe, expect, test } from 'vitest'
import { UnreadableSubtitles } from '../../../server/media/subtitles/errors.ts'
import { parseSubtitles } from '../../../server/media/subtitles/parse.ts'
import { cleanSubtitles } from '../../../server/media/subtitles/read-subtitles.ts'
import { readStrictly } from './strict-webvtt.ts'

const brief = (text: string) => parseSubtitles(text).map((cue) => [cue.start, cue.end, cue.text])
const HELLO_WORLD = [
  [1000, 2000, 'Hello'],
  [3000, 4000, 'World'],
]

describe('SubRip', () => {
  test.each([
    [
      'as it should be',
      '1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\nWorld\n',
    ],
    ['no numbers', '00:00:01,000 --> 00:00:02,000\nHello\n\n00:00:03,000 --> 00:00:04,000\nWorld'],
    ['odd numbers', '#7\n00:00:01,000 --> 00:00:02,000\nHello\n\n-1.\n00:00:03,000 --> 00:00:04,000\nWorld'],
    ['only one number', '00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\nWorld'],
    ['no blank lines', '1\n00:00:01,000 --> 00:00:02,000\nHello\n2\n00:00:03,000 --> 00:00:04,000\nWorld'],
    ['neither', '00:00:01,000 --> 00:00:02,000\nHello\n00:00:03,000 --> 00:00:04,000\nWorld'],
    [
      'numbers before the times',
      '1 00:00:01,000 --> 00:00:02,000\nHello\n2 00:00:03,000 --> 00:00:04,000\nWorld',
    ],
    [
      'blank lines everywhere',
      '\n\n1\n\n00:00:01,000 --> 00:00:02,000\n\nHello\n \n\n2\n\n00:00:03,000 --> 00:00:04,000\n\nWorld\n\n\n',
    ],
    ['points', '1\n00:00:01.000 --> 00:00:02.000\nHello\n\n2\n00:00:03.000 --> 00:00:04.000\nWorld'],
    ['no hours', '1\n00:01,000 --> 00:02,000\nHello\n\n2\n0:03,000 --> 0:04,000\nWorld'],
    ['no fractions', '1\n00:00:01 --> 00:00:02\nHello\n\n2\n0:0:3 --> 0:0:4\nWorld'],
    ['no spaces', '1\n00:00:01,000-->00:00:02,000\nHello\n\n2\n00:00:03,000-->00:00:04,000\nWorld'],
    ['stray spaces', '1\n 00:00:01, 000  -->\t00: 00:02,000 \nHello\n\n2\n00:00:03,0 --> 00:00:04,00\nWorld'],
    [
      'coordinates',
      '1\n00:00:01,000 --> 00:00:02,000 X1:1 X2:2 Y1:3 Y2:4\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\nWorld',
    ],
    ['wrong order', '2\n00:00:03,000 --> 00:00:04,000\nWorld\n\n1\n00:00:01,000 --> 00:00:02,000\nHello'],
    [
      'a broken cue in between',
      '1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:0x --> ?\nLost\n\n3\n00:00:03,000 --> 00:00:04,000\nWorld',
    ],
    [
      'cues that are never shown',
      '1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:02,000 --> 00:00:02,000\nx\n\n3\n00:00:09,000 --> 00:00:01,000\ny\n\n4\n00:00:02,000 --> 00:00:03,000\n\n5\n00:00:03,000 --> 00:00:04,000\nWorld',
    ],
    ['cut off', '1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\nWorld\n\n3\n'],
  ])('%s', (_, text) => {
    expect(brief(text)).toEqual(HELLO_WORLD)
    expect(cleanSubtitles(Buffer.from(text.replaceAll('\n', '\r\n')))).toMatchObject({ cues: 2 })
  })

  test.each([
    ['00:00:00,1', 100],
    ['00:00:00,12', 120],
    ['00:00:00,1239', 123],
    ['00:90:00', 5_400_000],
    ['120:00.5', 7_200_500],
    ['123:00:00,007', 442_800_007],
  ])('%s is %i ms', (time, start) => expect(parseSubtitles(`${time} --> 900:00:00\nx`)[0]?.start).toBe(start))

  test('text may have blank lines, numbers and arrows', () => {
    const text = '1\n0:01 --> 0:02\na\n\nb --> c\n42\n\n2\n0:03 --> 0:04\n1984\n\n0:05 --> 0:06\n7'
    expect(brief(text)).toEqual([
      [1000, 2000, 'a\nb --&gt; c\n42'],
      [3000, 4000, '1984'],
      [5000, 6000, '7'],
    ])
  })

  test('a number is text where cues have no numbers', () =>
    expect(brief('0:01 --> 0:02\n42\n0:03 --> 0:04\n43')).toEqual([
      [1000, 2000, '42'],
      [3000, 4000, '43'],
    ]))

  test('cues may overlap, and keep their order where they start together', () =>
    expect(
      brief('0:02 --> 0:03\nc\n\n0:01 --> 0:09\na\n\n0:01 --> 0:02\nb').map(([, , text]) => text),
    ).toEqual(['a', 'b', 'c']))
})

describe('WebVTT', () => {
  test('other blocks and the header are left out', () => {
    const text = `WEBVTT - A title
X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000
Kind: captions

STYLE
::cue { background: url(https://example.com/) }

REGION
id:top

NOTE 0:00 --> 0:01 and
00:00.000 --> 00:01.000
never shown

intro
00:01.000 --> 00:02.000 align:middle line:0 region:top onload:x
<v Ann>Hello

lost
00:02.500 --> 00:03.000
00:03.000 --> 00:04.000 size:120% position:10%,line-left
World

Not in a cue
`
    expect(parseSubtitles(text)).toEqual([
      { start: 1000, end: 2000, settings: 'align:center line:0', text: '<v Ann>Hello</v>', id: 'intro' },
      { start: 3000, end: 4000, settings: 'position:10%,line-left', text: 'World' },
    ])
  })

  test.each([
    [
      'no blank line after the header',
      'WEBVTT\n00:01.000 --> 00:02.000\nHello\n\n00:03.000 --> 00:04.000\nWorld',
    ],
    ['no blank lines', 'WEBVTT\n\n1\n00:01.000 --> 00:02.000\nHello\n2\n00:03.000 --> 00:04.000\nWorld'],
    ['commas', '\n WEBVTT\n\n1\n00:01,000 --> 00:02,000\nHello\n\n2\n00:03,000 --> 00:04,000\nWorld'],
  ])('%s', (_, text) => expect(brief(text)).toEqual(HELLO_WORLD))

  test('an id is kept once, and never one that names another block', () => {
    const text =
      'WEBVTT\n00:01 --> 00:09\na\n\nx"<y>\n00:02 --> 00:09\nb\n\nxy\n00:03 --> 00:09\nc\n\n"NOTE\n00:04 --> 00:09\nd'
    expect(parseSubtitles(text).map(({ id, text }) => [id, text])).toEqual([
      [undefined, 'a'],
      ['xy', 'b'],
      [undefined, 'c'],
      [undefined, 'd'],
    ])
  })
})

test.each([
  '',
  '\n\n',
  'WEBVTT\n',
  'Hello',
  '{"a":1}',
  '-->',
  '1\n2\n3',
  'Dialogue: 0,0:00:01.00,0:00:02.00,,Hi',
])('%j has no cues', (text) => expect(() => parseSubtitles(text)).toThrow(new UnreadableSubtitles(NEITHER)))
const NEITHER = 'no cue could be read: it is neither SubRip nor WebVTT'

test('nor has a file whose cues show nothing', () =>
  expect(() => parseSubtitles('0:01 --> 0:02\n<font color="red"> </font>\n\n0:03 --> 0:02\nx')).toThrow(
    new UnreadableSubtitles('none of its cues has a text and a time to show it'),
  ))

/** Counted from 0, times without milliseconds, markup to be read, and an empty line within a cue. */
const BY_HAND = `0
00:00:00,1 --> 00:00:04
In the beginning there was &lt;marquee&gt;, and it moved.

1
00:00:04 --> 00:00:07
Nobody could read it in time\x20

2
00:00:07 --> 00:00:10
so &lt;img src="still.png" /&gt; didn't move ...

3
00:01:02 --> 00:01:05
Thank you for reading.\x20

More of it at <a href="http://example.com/still">example.com/still</a>`

test('a file that was written by hand', () => {
  const { vtt, cues } = cleanSubtitles(Buffer.from(BY_HAND))
  const read = readStrictly(vtt).cues
  expect(cues).toBe(4)
  expect(read.map(({ start, end }) => [start, end])).toEqual([
    [100, 4000],
    [4000, 7000],
    [7000, 10_000],
    [62_000, 65_000],
  ])
  expect(read.map(({ text }) => text)).toEqual([
    'In the beginning there was &lt;marquee&gt;, and it moved.',
    'Nobody could read it in time',
    'so &lt;img src="still.png" /&gt; didn\'t move ...',
    'Thank you for reading.\nMore of it at example.com/still',
  ])
})
