import { expect, test } from 'vitest'
import { decodeText } from '../../../server/media/subtitles/decode-text.ts'

const TEXT = '1\n00:00:01,000 --> 00:00:02,000\nÀ bientôt “Zoë” – 5 €\n'
const CHINESE = '1\n00:00:01,000 --> 00:00:02,000\n一一一一一一一一一一一一一一\n'
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16()

test.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`)],
  ['UTF-16 little endian with a mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['UTF-16 big endian with a mark', bigEndian(`\ufeff${TEXT}`)],
  ['UTF-16 little endian', Buffer.from(TEXT, 'utf16le')],
  ['UTF-16 big endian', bigEndian(TEXT)],
  [
    'Windows-1252',
    Buffer.from(
      TEXT.replace('“', '\x93').replace('”', '\x94').replace('–', '\x96').replace('€', '\x80'),
      'latin1',
    ),
  ],
])('%s is recognised', (_, bytes) => expect(decodeText(bytes)).toBe(TEXT))

test.each([
  ['little', Buffer.from(CHINESE, 'utf16le')],
  ['big', bigEndian(CHINESE)],
])('UTF-16 %s endian is recognised where zeros are on both sides', (_, bytes) =>
  expect(decodeText(bytes)).toBe(CHINESE),
)

test('a UTF-8 mark counts for more than a broken character', () =>
  expect(decodeText(Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xe9]))).toBe('a\ufffd'))

test.each([
  ['Windows', 'a\r\nb\r\n\r\nc'],
  ['old Mac', 'a\rb\r\rc'],
  ['converted twice', 'a\r\r\nb\r\r\n\r\r\nc'],
  ['mixed', 'a\rb\n\r\nc'],
])('line ends are made alike: %s', (_, text) => expect(decodeText(Buffer.from(text))).toBe('a\nb\n\nc'))

test('NUL becomes what WebVTT says', () =>
  expect(decodeText(Buffer.from('some words\0 here'))).toBe('some words\ufffd here'))

test('nothing is nothing', () => expect(decodeText(Buffer.alloc(0))).toBe(''))
