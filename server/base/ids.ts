import { randomFillSync } from 'node:crypto'

/** Every kind of identifier the service hands out, by the noun it stands for. */
const ID_PREFIX = {
  organization: 'org',
  project: 'proj',
  user: 'user',
  policy: 'pol',
  attachment: 'att',
  key: 'key',
  session: 'sess',
  invitation: 'inv',
  file: 'file',
  image: 'img',
  video: 'vid',
  subtitle: 'sub',
  track: 'trk',
  feed: 'feed',
  post: 'post',
} as const

export type IdKind = keyof typeof ID_PREFIX

// Crockford's alphabet: no i, l, o, u, so that an id read aloud or copied by hand stays the same.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
// Ids are compared as text, so that one in upper case is no id of ours: malformed, not unknown.
const SUFFIX = '[0-9a-hjkmnp-tv-z]{26}'

// Random bytes are drawn many at a time: each request has an id, and a draw costs the same for 16 as for 4096.
const pool = new Uint8Array(4096)
let unused = pool.length

/** 26 characters: 48 bits of milliseconds, then 80 random bits. Sorts by time as plain text. */
export function newIdSuffix(now = Date.now()): string {
  let text = timePart(now)
  if (unused + 16 > pool.length) {
    randomFillSync(pool)
    unused = 0
  }
  // 256 is a multiple of 32, so taking a byte modulo 32 favours no character.
  for (const end = unused + 16; unused < end; unused++) text += ALPHABET[pool[unused]! % 32]
  return text
}

let lastTime = -1
let lastPart = ''

/** Many ids are of the same millisecond. */
function timePart(now: number): string {
  if (now === lastTime) return lastPart
  let text = ''
  for (let time = now, i = 0; i < 10; i++) {
    text = ALPHABET[time % 32] + text
    time = Math.floor(time / 32)
  }
  lastTime = now
  lastPart = text
  return text
}

export function newId(kind: IdKind, now?: number): string {
  return `${ID_PREFIX[kind]}_${newIdSuffix(now)}`
}

export function idPattern(kind: IdKind): string {
  return `^${ID_PREFIX[kind]}_${SUFFIX}$`
}
