import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeText } from '../../../server/media/subtitles/decode-text.ts'
import { UnreadableSubtitles } from '../../../server/media/subtitles/errors.ts'
import { parseSubtitles } from '../../../server/media/subtitles/parse.ts'
import type { Cue } from '../../../server/media/subtitles/port.ts'
import { cleanSubtitles } from '../../../server/media/subtitles/read-subtitles.ts'
import { readWebVtt, writeSegment, writeWebVtt } from '../../../server/media/subtitles/webvtt.ts'
import { dialects, encode, writeSubRip } from './dialects.ts'
import { readStrictly } from './strict-webvtt.ts'

const words = fc.constantFrom(
  'Hello',
  '42',
  '1 &lt; 2',
  'naïve café',
  '<b>so</b>',
  'R&amp;D',
  '– “yes” –',
  '5 €',
  'é',
)
const text = fc
  .array(fc.array(words, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
  .map((lines) => lines.map((line) => line.join(' ')).join('\n'))

const cueList = fc
  .array(fc.record({ start: fc.nat(400_000_000), length: fc.integer({ min: 1, max: 20_000 }), text }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((list) =>
    list
      .map(({ start, length, text }): Cue => ({ start, end: start + length, settings: '', text }))
      .sort((one, other) => one.start - other.start),
  )

test('SubRip of any dialect and encoding is read as what was meant', () => {
  fc.assert(
    fc.property(cueList, dialects, (cues, dialect) => {
      const { vtt, cues: count } = cleanSubtitles(encode(writeSubRip(cues, dialect), dialect.encoding))
      expect(readStrictly(vtt).cues).toEqual(cues)
      expect(count).toBe(cues.length)
    }),
    { numRuns: 1000 },
  )
})

const fragments = fc.constantFrom(
  ...[
    '<',
    '>',
    '</',
    '<script>',
    '</script>',
    '<img src=x onerror=alert(1)>',
    '<b',
    '<i>',
    '</i>',
    '<v ',
    '<c.',
  ],
  ...['<ruby>', '<rt>', '</ruby>', '<lang ', '<00:00:01.500>', '<!--', '-->', '--', '&', '&lt;', '&amp', ';'],
  ...[
    '{\\an8}',
    '{',
    '\\',
    '}',
    '{\\',
    '"',
    "'",
    '=',
    'on',
    'x',
    '.',
    '/',
    ' ',
    '\t',
    '\n',
    '\n\n',
    '\r',
    '\0',
    '\u00a0',
  ],
  ...[
    '\n0:01 --> 0:02\n',
    '\n\n00:00:01.000 --> 00:00:02.000 line:1\n',
    '\n\n7\n',
    '1',
    'NOTE ',
    'STYLE\n',
    'WEBVTT',
  ],
  ...['line:', 'align:middle', '%', ',', ':', '\ud800', '😀', '\ufeff', '\u2028'],
)
const anything = fc.oneof(
  fc.array(fragments, { maxLength: 40 }).map((parts) => parts.join('')),
  fc
    .array(fc.oneof(fragments, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 40 })
    .map((parts) => parts.join('')),
)
const hostile = fc
  .tuple(fc.constantFrom('', 'WEBVTT\n\n', 'WEBVTT'), fc.constantFrom('', 'a"<b>\n', '1\n'), anything)
  .map(([signature, header, rest]) => `${signature}${header}00:00:01.000 --> 00:00:02.000${rest}`)

test('whatever comes in, what goes out is valid and cannot run', () => {
  fc.assert(
    fc.property(fc.oneof(hostile, anything), (text) => {
      const vtt = cleaned(Buffer.from(text))
      if (vtt === undefined) return
      const { cues } = readStrictly(vtt)
      for (const tag of cues.flatMap((cue) => cue.text.match(/<[^>]*>/g) ?? []))
        expect(tag).not.toMatch(/["'=(`\\]|^<(?!\/?(c|i|b|u|ruby|rt|v|lang)\b|\d)/)
      expect(parseSubtitles(vtt)).toEqual(cues)
      expect(readWebVtt(vtt)).toEqual(cues)
      expect(cleaned(Buffer.from(vtt))).toBe(vtt)
    }),
    { numRuns: 20_000 },
  )
})

test('bytes of any kind give subtitles or a refusal', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(decodeText(Buffer.from(bytes))).not.toMatch(/[\r\0]/)
      const vtt = cleaned(Buffer.concat([Buffer.from('0:01-->0:02\n'), bytes]))
      if (vtt !== undefined) readStrictly(vtt)
    }),
    { numRuns: 2000 },
  )
})

function cleaned(bytes: Buffer): string | undefined {
  try {
    return cleanSubtitles(bytes).vtt
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableSubtitles)
    return undefined
  }
}

test('splitting anywhere loses no cue and adds none', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1, maxLength: 20 })
  const near = cueList.map((cues) =>
    cues.map((cue) => ({
      ...cue,
      start: cue.start % 200_000,
      end: (cue.start % 200_000) + cue.end - cue.start,
    })),
  )
  fc.assert(
    fc.property(near, lengths, (unsorted, lengths) => {
      const cues = unsorted.sort((one, other) => one.start - other.start)
      const found = new Set<string>()
      let from = 0
      for (const length of [...lengths, 10_000_000]) {
        const { header, cues: inSegment } = readStrictly(writeSegment(cues, from, from + length))
        expect(header).toBe('WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000')
        const [first, last] = [from, from + length - 1]
        expect(inSegment).toEqual(cues.filter((cue) => !(cue.end - 1 < first || cue.start > last)))
        for (const cue of inSegment) found.add(JSON.stringify(cue))
        from += length
      }
      expect(found).toEqual(new Set(cues.map((cue) => JSON.stringify(cue))))
    }),
  )
})

test('no cues are written and read as none', () => expect(readWebVtt(writeWebVtt([]))).toEqual([]))

test('a segment without cues is a header', () =>
  expect(writeSegment([], 0, 6000)).toBe('WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n'))

test('WebVTT is written as it is documented', () =>
  expect(
    writeWebVtt([
      { start: 0, end: 1001, settings: '', text: 'a\nb' },
      { start: 360_000_000, end: 363_723_004, settings: 'line:0', text: 'c', id: 'end' },
    ]),
  ).toBe('WEBVTT\n\n00:00:00.000 --> 00:00:01.001\na\nb\n\nend\n100:00:00.000 --> 101:02:03.004 line:0\nc\n'))
