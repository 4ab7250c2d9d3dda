import { writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { blankFlac } from '../../server/media/video/tags/blank-blocks.ts'
import { blankTags } from '../../server/media/video/tags/blank-tags.ts'
import { EditedFile } from '../../server/media/video/tags/edited-file.ts'
import { scratchFolder } from '../support/backups.ts'

const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length)
  head.write(type, 4)
  return Buffer.concat([head, body])
}
/** A version, more numbers before the count, the count, and as many numbers. */
const table = (type: string, before: number[], numbers: number[], width = 1) => {
  const all = [0, ...before, numbers.length / width, ...numbers]
  const body = Buffer.alloc(4 * all.length)
  for (const [i, number] of all.entries()) body.writeUInt32BE(number, 4 * i)
  return box(type, body)
}
const many = (count: number, number: (i: number) => number) =>
  Array.from({ length: count }, (_, i) => number(i))

function nested(depth: number): Buffer {
  const heads = Buffer.alloc(8 * depth)
  for (let i = 0; i < depth; i++) {
    heads.writeUInt32BE(8 * (depth - i), 8 * i)
    heads.write('udta', 8 * i + 4)
  }
  return heads
}

/** A track of titles whose samples are said to be the whole file, a hundred thousand times. */
function repeated(): Buffer {
  const handler = box('hdlr', Buffer.from('\0\0\0\0\0\0\0\0text\0\0\0\0'))
  const places = many(100_000, () => 0)
  const tables = box(
    'stbl',
    table('stsz', [2 ** 24], []),
    // None of these is the next chunk.
    table('stsc', [], [1, 1, 1, ...many(3 * 80_000, () => 2 ** 31)], 3),
    table('stco', [], places),
  )
  return box('moov', box('trak', box('mdia', handler, box('minf', tables))))
}

/** Blocks of nothing. */
const emptyFlac = (blocks: number) =>
  Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(4 * blocks, '\u0004\0\0\0')])

test.each([
  ['boxes in boxes in boxes', 'm4a', () => nested(200_000), 'nested too deep'],
  ['samples that lie everywhere', 'm4a', repeated, 'too much beside its sound'],
] as const)('sound with %s is refused, not followed to its end', async (_, format, make, reason) => {
  const file = path.join(scratchFolder(), 'sound')
  writeFileSync(file, make())
  await expect(blankTags(file, format)).rejects.toThrow(reason)
})

test('a file of very many small pieces is followed for so many steps', async () => {
  const file = path.join(scratchFolder(), 'sound')
  const content = emptyFlac(500)
  writeFileSync(file, content)
  const handle = await open(file, 'r+')
  onTestFinished(() => handle.close())
  await expect(blankFlac(new EditedFile(handle, content.length, 900), 0)).rejects.toThrow(
    'too much beside its sound',
  )
  await blankFlac(new EditedFile(handle, content.length, 1600), 0)
})
