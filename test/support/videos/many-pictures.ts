import { readFile } from 'node:fs/promises'
import { box, boxesOf, changeBoxes } from './boxes.ts'
import { save } from './hostile.ts'
import { makeSource } from './sources.ts'

/** Pictures of one byte each, none of which is one: millions of them fit in megabytes. */
export async function makeManyPictures(folder: string, count: number): Promise<string> {
  const single = await readFile(await makeSource('one-frame', folder))
  const kept = boxesOf(single).filter(({ type }) => type === 'ftyp' || type === 'moov')
  const heading = (firstByte: number) => {
    const tables = [
      box('stts', u32(0, 1, count, 1000)),
      box('stsz', u32(0, 1, count)),
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
      u32(RATE * 1000).copy(copy, 12)
      return copy
    })
  }
  const content = Buffer.concat([heading(heading(0).length + 8), box('mdat', Buffer.alloc(count))])
  return save(folder, 'many-pictures.mp4', content)
}

/** A second, so that their number is what there is to object to. */
const RATE = 250

function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, i) => {
    bytes.writeUInt32BE(value, 4 * i)
  })
  return bytes
}
