import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkFraming } from '../../server/platform/postgres/framing.ts'

const message = (code: string, body: Uint8Array) => {
  const header = Buffer.alloc(5)
  header.write(code)
  header.writeUInt32BE(4 + body.length, 1)
  return Buffer.concat([header, body])
}
const messages = fc.array(
  fc
    .tuple(fc.constantFrom(...'DCZTEt12ns'), fc.uint8Array({ maxLength: 40 }))
    .map(([code, body]) => message(code, body)),
)

/** Cut into pieces of these lengths, and what is left. */
function cut(bytes: Buffer, lengths: number[]): Buffer[] {
  const pieces: Buffer[] = []
  let at = 0
  for (const length of lengths) {
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return [...pieces, bytes.subarray(at)]
}

test('messages are taken however they are cut into pieces', () => {
  fc.assert(
    fc.property(messages, fc.array(fc.nat(12)), (all, lengths) => {
      const isFramed = checkFraming()
      for (const piece of cut(Buffer.concat(all), lengths)) expect(isFramed(piece)).toBe(true)
    }),
  )
})

test('what is no message is found, wherever it begins', () => {
  const wrong = fc.oneof(
    fc
      .constantFrom('\0', 'a', '<', '\u00ff')
      .map((code) => Buffer.concat([Buffer.from(code, 'latin1'), Buffer.alloc(8, 1)])),
    fc.constant(Buffer.from('HTTP/1.1 400 Bad Request\r\n')),
    fc.constant(Buffer.from([0x44, 0, 0, 0, 3, 0])),
  )
  fc.assert(
    fc.property(messages, wrong, fc.array(fc.nat(12)), (all, garbage, lengths) => {
      const isFramed = checkFraming()
      const seen = cut(Buffer.concat([...all, garbage]), lengths).map((piece) => isFramed(piece))
      expect(seen).toContain(false)
    }),
  )
})
