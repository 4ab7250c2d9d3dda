import { readFile } from 'node:fs/promises'
import { box, boxesOf, changeBoxes } from './boxes.ts'
import { save } from './hostile.ts'
import { makeSource } from './sources.ts'

interface Many {
  count: number
  bytesOfOne?: number
  /** How many bytes of pictures there really are, if not all that are listed. */
  bytes?: number
  /** How long each is shown, and by what clock; else 250 a second, so that their number is what there is to object to. */
  ticksOfOne?: number
  ticksPerSecond?: number
}

/** Pictures of a byte or a few each, none of which is one: tables of one entry list millions of them. */
export async function makeManyPictures(
  folder: string,
  { count, bytesOfOne = 1, bytes = count * bytesOfOne, ticksOfOne = 1000, ticksPerSecond = 250_000 }: Many,
): Promise<string> {
  const single = await readFile(await makeSource('one-frame'))
  const kept = boxesOf(single).filter(({ type }) => type === 'ftyp' || type === 'moov')
  const heading = (firstByte: number) => {
    const tables = [
      box('stts', u32(0, 1, count, ticksOfOne)),
      box('stsz', u32(0, bytesOfOne, count)),
      box('stsc', u32(0, 1, 1, count, 1)),
      box('stco', u32(0, 1, firstByte)),
    ]
    const listed = changeBoxes(
      Buffer.concat(kept.map(({ whole }) => whole)),
      'moov/trak/mdia/minf/stbl',
      (table) => Buffer.concat([boxesOf(table).find(({ type }) => type === 'stsd')!.whole, ...tables]),
    )
    const unedited = changeBoxes(listed, 'moov/trak', (track) =>
      Buffer.concat(
        boxesOf(track)
          .filter(({ type }) => type !== 'edts')
          .map(({ whole }) => whole),
      ),
    )
    return changeBoxes(unedited, 'moov/trak/mdia/mdhd', (about) => {
      const copy = Buffer.from(about)
      u32(ticksPerSecond).copy(copy, 12)
      return copy
    })
  }
  const content = Buffer.concat([heading(heading(0).length + 8), box('mdat', Buffer.alloc(bytes))])
  return save(folder, 'many-pictures.mp4', content)
}

function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, i) => {
    bytes.writeUInt32BE(value, 4 * i)
  })
  return bytes
}
