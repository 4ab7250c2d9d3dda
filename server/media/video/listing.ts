import { UnsupportedVideo } from './errors.ts'
import { TOO_MANY } from './mp4-index.ts'
import { MAX_PICTURES, mostPicturesIn, Pictures } from './pictures.ts'

export interface Listing {
  pictures: Pictures
  /** With those that are empty. */
  listed: number
}

/** What ffprobe is to list of each picture, in the order in which it does. */
export const LISTED = 'packet=pts,dts,duration,size,flags'

/** Reads a listing line by line. Throws UnsupportedVideo where there are more than a file of this size can hold. */
export async function readListing(lines: AsyncIterable<string[]>, fileSize: number): Promise<Listing> {
  const most = mostPicturesIn(fileSize)
  const pictures = new Pictures()
  let listed = 0
  for await (const some of lines)
    for (const line of some) {
      listed++
      addPicture(pictures, line)
      if (listed > MAX_PICTURES) throw new UnsupportedVideo(`it has more than ${MAX_PICTURES} pictures`)
      if (pictures.length > most) throw new UnsupportedVideo(TOO_MANY)
    }
  return { pictures, listed }
}

function addPicture(pictures: Pictures, line: string): void {
  const [pts, dts, duration, size, flags = ''] = line.split('|')
  const bytes = whole(size)
  if (!bytes) return
  const last = pictures.length - 1
  const next = last < 0 ? 0 : pictures.dts[last]! + Math.max(pictures.duration[last]!, 1)
  const decoded = whole(dts) ?? whole(pts) ?? next
  pictures.push({
    pts: whole(pts) ?? decoded,
    dts: decoded,
    duration: whole(duration) ?? 0,
    size: bytes,
    key: flags[0] === 'K',
    discarded: flags[1] === 'D',
  })
}

function whole(text: string | undefined): number | undefined {
  const value = Number(text)
  return text === undefined || text === '' || !Number.isSafeInteger(value) ? undefined : value
}
