import { u8 } from './boxes.ts'
import { MediaProgramFailed } from './errors.ts'

/** Kinds of H.264 units that hold no picture: what belongs to pictures (SEI), filling, and those that the standard leaves to others. */
const SEI = 6
const FILLING = 12
const FIRST_UNSPECIFIED = 24

/**
 * What playing may need: how long a picture is buffered and shown (0, 1), where decoding may begin (6), film grain (19), how two
 * views are packed and which way is up (45, 47), how bright and coloured it was made to be (137, 144, 147, 148).
 */
const NEEDED = new Set([0, 1, 6, 19, 45, 47, 137, 144, 147, 148])
/** Registered by ITU-T T.35: of that, what ATSC has for captions and for the shape of the picture. */
const REGISTERED = 4
const CAPTIONS = [`b50031${hex('GA94')}03`, `b50031${hex('DTG1')}`]

/**
 * A coded picture of H.264 as it may be passed on: without what a camera or an encoder has written beside the pictures, which may
 * say where and when it was, and by what. It comes in units behind their lengths, as in MP4.
 */
export function withoutUserData(picture: Buffer, lengthBytes: number): Buffer {
  const kept: Buffer[] = []
  for (let at = 0; at < picture.length; ) {
    const begin = at + lengthBytes
    if (begin >= picture.length) throw new MediaProgramFailed('a unit without a beginning')
    const end = begin + picture.readUIntBE(at, lengthBytes)
    if (end > picture.length) throw new MediaProgramFailed('a unit beyond its picture')
    const unit = picture.subarray(begin, end)
    const rest = end === begin ? unit : passedOn(unit)
    if (rest === unit) kept.push(picture.subarray(at, end))
    else if (rest) kept.push(lengthOf(rest, lengthBytes), rest)
    at = end
  }
  return Buffer.concat(kept)
}

function lengthOf(unit: Buffer, lengthBytes: number): Buffer {
  const length = Buffer.alloc(lengthBytes)
  length.writeUIntBE(unit.length, 0, lengthBytes)
  return length
}

/** A unit as it is, or what is left of it; undefined where that is nothing. */
function passedOn(unit: Buffer): Buffer | undefined {
  const kind = unit[0]! & 0x1f
  if (kind === FILLING || kind >= FIRST_UNSPECIFIED) return undefined
  if (kind !== SEI) return unit
  const messages = messagesIn(unescaped(unit.subarray(1)))
  const needed = messages.filter(isNeeded)
  if (needed.length === messages.length) return unit
  if (needed.length === 0) return undefined
  return Buffer.concat([
    unit.subarray(0, 1),
    escaped(Buffer.concat([...needed.map(({ bytes }) => bytes), u8(0x80)])),
  ])
}

interface Message {
  type: number
  payload: Buffer
  /** With its header. */
  bytes: Buffer
}

/** The messages of a unit, as far as they are whole. */
function messagesIn(body: Buffer): Message[] {
  const messages: Message[] = []
  let at = 0
  const number = () => {
    let sum = 0
    while (body[at] === 0xff) {
      sum += 255
      at++
    }
    return sum + (body[at++] ?? 0)
  }
  // The last byte ends the unit.
  while (at + 2 < body.length) {
    const begin = at
    const type = number()
    const size = number()
    if (at + size > body.length) messages.push({ type: -1, payload: body, bytes: body.subarray(begin) })
    else
      messages.push({ type, payload: body.subarray(at, at + size), bytes: body.subarray(begin, at + size) })
    at += size
  }
  return messages
}

function isNeeded({ type, payload }: Message): boolean {
  if (type !== REGISTERED) return NEEDED.has(type)
  return CAPTIONS.some((begin) => payload.toString('hex', 0, begin.length / 2) === begin)
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex')
}

/** Behind two zeros, a byte up to 3 stands behind a 3, so that nothing inside a unit looks like the begin of one. */
function escaped(body: Buffer): Buffer {
  const out: number[] = []
  let zeros = 0
  for (const byte of body) {
    if (zeros >= 2 && byte <= 3) {
      out.push(3)
      zeros = 0
    }
    out.push(byte)
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return Buffer.from(out)
}

function unescaped(body: Buffer): Buffer {
  const out: number[] = []
  let zeros = 0
  for (const byte of body) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    out.push(byte)
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return Buffer.from(out)
}
