import { expect, test } from 'vitest'
import { canonicalLanguage, LANGUAGES, languageName } from '../../server/videos/languages.ts'

test.each([
  ['en', 'en'],
  ['EN-us', 'en-US'],
  ['iw', 'he'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['ES-419', 'es-419'],
  ['DE-1901', 'de-1901'],
  ['ZH-YUE-hk', 'yue-HK'],
  ['zh-cmn-Hans', 'zh-Hans'],
  ['en-x-mine', 'en-x-mine'],
  ['ar-u-nu-latn', 'ar-u-nu-latn'],
  ['haw', 'haw'],
  ['und', 'und'],
])('%s is %s', (code, expected) => expect(canonicalLanguage(code)).toBe(expected))

test.each([
  '',
  'e',
  'english',
  'root',
  'xx-INVALID!',
  'en_US',
  'en US',
  ' en',
  'en\n',
  'en-',
  '-en',
  'en--US',
  'x-mine',
  'i-klingon',
  'en-a',
  'en-usa',
  '../en',
  'en-x-12345678-12345678-12345678-12345',
])('%j is no language', (code) => expect(canonicalLanguage(code)).toBeUndefined())

test.each([
  ['de', 'German'],
  ['pt-BR', 'Portuguese (Brazil)'],
  ['zh-Hant', 'Chinese (Traditional)'],
  ['qqq', 'qqq'],
  ['not a code!', 'not a code!'],
  ['', ''],
])('%s is called %s', (code, name) => expect(languageName(code)).toBe(name))

test('the languages to choose from are canonical, named, and sorted by name', () => {
  expect(LANGUAGES.length).toBeGreaterThan(180)
  for (const { code, name } of LANGUAGES) {
    expect(canonicalLanguage(code)).toBe(code)
    expect(name).not.toBe(code)
  }
  const names = LANGUAGES.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other, 'en')))
})
