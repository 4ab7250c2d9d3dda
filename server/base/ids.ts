import { randomBytes } from 'node:crypto'

/** Every kind of identifier the service hands out, by the noun it stands for. */
export const ID_PREFIX = {
  organization: 'org',
  project: 'proj',
  user: 'user',
  policy: 'pol',
  attachment: 'att',
  key: 'key',
  session: 'sess',
  invitation: 'inv',
} as const

export type IdKind = keyof typeof ID_PREFIX

// Crockford's alphabet: no i, l, o, u, so that an id read aloud or copied by hand stays the same.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const SUFFIX = '[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26}'

/** 26 characters: 48 bits of milliseconds, then 80 random bits. Sorts by time as plain text. */
export function newIdSuffix(now = Date.now()): string {
  let text = ''
  for (let time = now, i = 0; i < 10; i++) {
    text = ALPHABET[time % 32] + text
    time = Math.floor(time / 32)
  }
  // 256 is a multiple of 32, so taking a byte modulo 32 favours no character.
  for (const byte of randomBytes(16)) text += ALPHABET[byte % 32]
  return text
}

export function newId(kind: IdKind): string {
  return `${ID_PREFIX[kind]}_${newIdSuffix()}`
}

export function idPattern(kind: IdKind): string {
  return `^${ID_PREFIX[kind]}_${SUFFIX}$`
}
