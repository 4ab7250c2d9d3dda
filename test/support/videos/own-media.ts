import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { ffprobe } from './programs.ts'

interface OwnMedia {
  /** Files with a moving picture, which are to play. */
  videos: string[]
  /** All others, which are to be refused. */
  others: string[]
}

/** Whoever runs the tests in full may add files of their own, in the folder that `MARQUEE_TEST_MEDIA` names. */
export async function findOwnMedia(): Promise<OwnMedia> {
  const found: OwnMedia = { videos: [], others: [] }
  const folder = process.env.MARQUEE_TEST_MEDIA
  if (!process.env.MARQUEE_TEST_LONG || !folder) return found
  const entries = await readdir(folder, { withFileTypes: true })
  for (const name of entries.filter((entry) => entry.isFile()).map((entry) => entry.name)) {
    const file = path.resolve(folder, name)
    found[(await hasMovingPicture(file)) ? 'videos' : 'others'].push(file)
  }
  return found
}

/** A photo has one frame, a cover of a record is not counted, and what ffprobe cannot read has none. */
async function hasMovingPicture(file: string): Promise<boolean> {
  const args = ['-select_streams', 'V:0', '-read_intervals', '%+#50', '-show_entries', 'frame=pict_type']
  const frames = await ffprobe([...args, '-of', 'csv=p=0', file]).catch(() => '')
  return frames.split('\n').filter((line) => line !== '').length > 1
}
