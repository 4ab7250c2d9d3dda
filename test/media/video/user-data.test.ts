import { expect, test } from 'vitest'
import { withoutUserData } from '../../../server/media/video/user-data.ts'

const unit = (kind: number, ...body: number[]) => Buffer.from([kind, ...body])
const PICTURE = unit(0x65, 0x88, 0x84, 0, 33, 255)
/** A message: its kind, its length and what is in it. */
const message = (kind: number, payload: Buffer) => {
  const number = (value: number) => [...Array<number>(Math.floor(value / 255)).fill(255), value % 255]
  return Buffer.from([...number(kind), ...number(payload.length), ...payload])
}
const beside = (...messages: Buffer[]) => Buffer.concat([unit(6), ...messages, unit(0x80)])
function sample(lengthBytes: number, ...units: Buffer[]): Buffer {
  return Buffer.concat(
    units.flatMap((one) => {
      const length = Buffer.alloc(lengthBytes)
      length.writeUIntBE(one.length, 0, lengthBytes)
      return [length, one]
    }),
  )
}

const PLACE = message(5, Buffer.from('17ee8c60f84d11d98cd60800200c9a66 52.5200N 13.4050E'))
const CAPTIONS = message(
  4,
  Buffer.from([0xb5, 0, 0x31, ...Buffer.from('GA94'), 3, 0xc1, 0xff, 0xfc, 0x94, 0x2c, 0xff]),
)
const OF_A_MAKER = message(4, Buffer.from([0xb5, 0, 0x3c, 0, 1, 4, 42]))
const RECOVERY = message(6, Buffer.from([0xc4]))
const TIMING = message(1, Buffer.from([0x11, 0x20]))

test.each([1, 2, 4])(
  'what is written beside pictures goes, what playing needs stays; lengths of %i bytes',
  (lengthBytes) => {
    const given = sample(
      lengthBytes,
      unit(9, 0x10),
      beside(TIMING, PLACE, CAPTIONS, OF_A_MAKER, RECOVERY),
      beside(PLACE),
      unit(12, 0xff, 0xff),
      unit(24, 1, 2, 3),
      PICTURE,
    )
    expect(withoutUserData(given, lengthBytes)).toEqual(
      sample(lengthBytes, unit(9, 0x10), beside(TIMING, CAPTIONS, RECOVERY), PICTURE),
    )
  },
)

test('what has nothing to be left out stays as it is, byte for byte', () => {
  const given = sample(
    4,
    unit(7, 0x64, 0, 0x1f),
    unit(8, 0xee),
    beside(TIMING, RECOVERY),
    PICTURE,
    unit(1, 0x9a),
  )
  expect(withoutUserData(given, 4)).toEqual(given)
})

test('what is left of a unit never looks like the begin of another', () => {
  // Lengths and contents that put three zeros next to each other once something between them is gone.
  const zeros = message(0, Buffer.from([0, 0, 0, 0, 1, 0, 0, 3]))
  const escaped = (body: Buffer) =>
    Buffer.from(body.toString('latin1').replace(/\0\0(?=[\0-\x03])/g, '\0\0\x03'), 'latin1')
  const given = sample(
    4,
    Buffer.concat([unit(6), escaped(Buffer.concat([zeros, PLACE, RECOVERY, unit(0x80)]))]),
    PICTURE,
  )
  const rest = withoutUserData(given, 4)
  const kept = rest.subarray(4, 4 + rest.readUInt32BE(0))
  expect(kept).toEqual(Buffer.concat([unit(6), escaped(Buffer.concat([zeros, RECOVERY, unit(0x80)]))]))
  expect(kept.includes(Buffer.from([0, 0, 0]))).toBe(false)
  expect(kept.includes(Buffer.from([0, 0, 1]))).toBe(false)
})

test('a message that ends beyond its unit is not passed on', () => {
  const given = sample(4, unit(6, 6, 200, ...Buffer.from('52.5200N 13.4050E'), 0x80), PICTURE)
  expect(withoutUserData(given, 4)).toEqual(sample(4, PICTURE))
})

test('a picture whose units are not where their lengths say is not copied', () => {
  const given = sample(4, PICTURE, PICTURE)
  expect(() => withoutUserData(given.subarray(0, -1), 4)).toThrow('a unit beyond its picture')
  expect(() => withoutUserData(given.subarray(0, PICTURE.length + 6), 4)).toThrow(
    'a unit without a beginning',
  )
})
