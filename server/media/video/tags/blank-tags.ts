import { open } from 'node:fs/promises'
import type { AudioFormat } from '../probe-audio.ts'
import { blankFlac, blankWav } from './blank-blocks.ts'
import { blankBoxes } from './blank-boxes.ts'
import { blankId3, cutTrailing } from './blank-id3.ts'
import { blankOpus } from './blank-opus.ts'
import { EditedFile } from './edited-file.ts'

/**
 * Takes what a sound file says of itself (tags, covers, chapters, times) out of it, in its place, and answers how long it is then.
 * Not by having ffmpeg write it anew: into a pipe it cannot write where an MP3 or an M4A begins and ends, and players would add
 * or lose samples. Here every byte of the sound, and what says where it begins, stays as it is.
 */
export async function blankTags(path: string, format: AudioFormat): Promise<number> {
  const handle = await open(path, 'r+')
  try {
    const { size } = await handle.stat()
    const file = new EditedFile(handle, size)
    const begin = await blankId3(file)
    if (format === 'm4a') await blankBoxes(file)
    else if (format === 'opus') await blankOpus(file, begin)
    else if (format === 'wav') await blankWav(file, begin)
    else {
      await cutTrailing(file)
      if (format === 'flac') await blankFlac(file, begin)
    }
    return file.size
  } finally {
    await handle.close()
  }
}
