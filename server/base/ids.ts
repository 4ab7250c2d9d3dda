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
  webhook: 'whk',
  message: 'msg',
  signingKey: 'sig',
} as const

export type IdKind = keyof typeof ID_PREFIX

/** An identifier as its kind writes it: one of another kind does not compile in its place. */
export type Id<Kind extends IdKind> = `${(typeof ID_PREFIX)[Kind]}_${string}`

export type OrganizationId = Id<'organization'>
export type ProjectId = Id<'project'>
export type UserId = Id<'user'>
export type PolicyId = Id<'policy'>
export type AttachmentId = Id<'attachment'>
export type KeyId = Id<'key'>
export type SigningKeyId = Id<'signingKey'>
export type SessionId = Id<'session'>
export type InvitationId = Id<'invitation'>
export type FileId = Id<'file'>
export type ImageId = Id<'image'>
export type VideoId = Id<'video'>
export type SubtitleId = Id<'subtitle'>
export type TrackId = Id<'track'>
export type FeedId = Id<'feed'>
export type PostId = Id<'post'>
export type WebhookId = Id<'webhook'>
export type MessageId = Id<'message'>

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

export function newId<Kind extends IdKind>(kind: Kind, now?: number): Id<Kind> {
  return `${ID_PREFIX[kind]}_${newIdSuffix(now)}`
}

/** Whether text is of the form that the type of its kind promises. Whether it is well-formed, schemas check. */
export function isId<Kind extends IdKind>(kind: Kind, text: string): text is Id<Kind> {
  return text.startsWith(`${ID_PREFIX[kind]}_`)
}

/** One that documentation shows; it stands for nothing. */
export function exampleId<Kind extends IdKind>(kind: Kind): Id<Kind> {
  return `${ID_PREFIX[kind]}_01k9z3v5q8c7m2x4n6b1d0f3gh`
}

export function idPattern(kind: IdKind): string {
  return `^${ID_PREFIX[kind]}_${SUFFIX}$`
}
