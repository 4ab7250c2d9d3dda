import { crc32, deflateSync } from 'node:zlib'

export interface Pixels {
  data: Buffer
  width: number
  height: number
  channels: 1 | 2 | 3 | 4
}

/** The only way to hand sharp both pixels and their colour profile; nothing is compressed. */
export function pngWithProfile({ data, width, height, channels }: Pixels, profile: Buffer): Buffer {
  const row = width * channels
  // Each row starts with the number of its filter: 0, none.
  const rows = Buffer.alloc((row + 1) * height)
  for (let y = 0; y < height; y++) data.copy(rows, y * (row + 1) + 1, y * row, (y + 1) * row)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, { 1: 0, 2: 4, 3: 2, 4: 6 }[channels]], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    ...chunk('IHDR', header),
    ...chunk('iCCP', Buffer.concat([Buffer.from('icc\0\0'), deflateSync(profile)])),
    ...chunk('IDAT', deflateSync(rows, { level: 0 })),
    ...chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer[] {
  const name = Buffer.from(type)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(data, crc32(name)))
  return [length, name, data, checksum]
}
