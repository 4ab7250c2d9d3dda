import { expect, test } from 'vitest'
import { UnreadableSubtitles } from '../../../server/media/subtitles/errors.ts'
import { parseSubtitles } from '../../../server/media/subtitles/parse.ts'
import { cleanSubtitles } from '../../../server/media/subtitles/read-subtitles.ts'

// Anything worse than linear takes far longer here than the minute that a test has.
const MIB = 1024 * 1024
const PATTERNS = [
  ...['<', '>', '<>', '<b', '<b>', '</b', '<3>', '<v ', '<c.', '<b.', '<script>'],
  ...['&', '{', '{\\', '{\\}', '-'],
  ...['-->', '-->\n', '\n-->', '1', '1\n', '\n\n1', '\n', '\r', '\r\r', ' ', '\t\n', '\0', '0 ', ':', '00:'],
  ...['NOTE\n', '\n\nNOTE', 'line:1 '],
]
const filled = (pattern: string, size: number) => pattern.repeat(size / pattern.length)

test.each(PATTERNS)('a file of %j alone is refused', (pattern) =>
  expect(() => cleanSubtitles(Buffer.from(filled(pattern, MIB)))).toThrow(UnreadableSubtitles),
)

test.each(PATTERNS)('a text full of %j is one cue', (pattern) =>
  expect(cleanSubtitles(Buffer.from(`1\n0:01 --> 0:02\nx${filled(pattern, MIB)}`)).cues).toBe(1),
)

test.each(PATTERNS)('what follows a line of times full of %j is read', (pattern) => {
  const many = filled(pattern, MIB)
  const cues = parseSubtitles(`WEBVTT\n\n${many} 0:01 --> 0:02 ${many}\nx\n\n0:01 --> 0:02\nlast\n`)
  expect(cues.at(-1)?.text).toBe('last')
})

test.each(['<', '-->', '\n', '1'])('10 MiB of %j are no worse', (pattern) =>
  expect(cleanSubtitles(Buffer.from(`1\n0:01 --> 0:02\nx${filled(pattern, 10 * MIB)}`)).cues).toBe(1),
)

test.each(['0:01 --> 0:02\nx\n', '1\n0:01-->0:02\n', '\n\n1\n\n0:01 --> 0:02 line:1'])(
  'many of %j',
  (pattern) =>
    expect(cleanSubtitles(Buffer.from(`0:01 --> 0:02\nx${filled(pattern, MIB)}`)).cues).toBeGreaterThan(0),
)
