import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { pixelBomb } from '../../fixtures/images.ts'
import { boxesOf } from './boxes.ts'
import { ffmpeg } from './programs.ts'
import { makeSource } from './sources.ts'

/** Writes a file of this name, whatever is in it. */
export async function save(folder: string, name: string, content: string | Buffer): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, content)
  return file
}

/** An HLS playlist that calls itself a video: its segments are another file, or an address of an inner net. */
export const makeFalsePlaylist = (folder: string, target: string) =>
  save(
    folder,
    'playlist.mp4',
    `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${target}\n#EXT-X-ENDLIST\n`,
  )

/** A script that tells ffmpeg to read another file. */
export const makeConcatScript = (folder: string, target: string) =>
  save(folder, 'script.mp4', `ffconcat version 1.0\nfile '${target}'\nduration 10\n`)

export const makeSvg = (folder: string, target: string) =>
  save(
    folder,
    'drawing.mp4',
    `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ` +
      `width="640" height="360"><image xlink:href="file://${target}" width="640" height="360"/></svg>\n`,
  )

export const makeAss = (folder: string) =>
  save(
    folder,
    'subtitles.mp4',
    '[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Default,Arial,20\n\n' +
      '[Events]\nFormat: Layer, Start, End, Style, Text\nDialogue: 0,0:00:01.00,0:00:05.00,Default,Hello\n',
  )

export const makeText = (folder: string) => save(folder, 'text.mp4', 'This is not a video.\n'.repeat(500))

export async function makeZip(folder: string): Promise<string> {
  const content = Buffer.from('not a video')
  const name = Buffer.from('video.mp4')
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt32LE(crc32(content), 10)
  common.writeUInt32LE(content.length, 14)
  common.writeUInt32LE(content.length, 18)
  common.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, content])
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, Buffer.alloc(14), name])
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(local.length, 12)
  return save(folder, 'archive.zip', Buffer.concat([local, central, Buffer.from('PK\x05\x06'), end]))
}

export const makeTransportStream = () => makeSource('start-time-ts')

export async function makeRawH264(folder: string): Promise<string> {
  const output = path.join(folder, 'raw.h264')
  const source = await makeSource('mp4-bframes')
  await ffmpeg(['-v', 'error', '-y', '-i', source, '-map', '0:v', '-c', 'copy', '-f', 'h264', output])
  return output
}

/** A recording that was never closed: all pictures, no index. */
export async function makeWithoutIndex(folder: string): Promise<string> {
  const whole = await readFile(await makeSource('mp4-bframes'))
  const index = boxesOf(whole).find((box) => box.type === 'moov')!
  return save(folder, 'without-index.mp4', whole.subarray(0, index.whole.byteOffset - whole.byteOffset + 20))
}

/** A transfer that broke off: the index is there, and half of what it speaks of. */
export async function makeHalf(folder: string): Promise<string> {
  const output = path.join(folder, 'half.mp4')
  const source = await makeSource('mp4-bframes')
  await ffmpeg(['-v', 'error', '-y', '-i', source, '-c', 'copy', '-movflags', 'faststart', output])
  const whole = await readFile(output)
  return save(folder, 'half.mp4', whole.subarray(0, whole.length / 2))
}

/** A file inside the video, with a name that leads out of the folder. */
export async function makeAttachment(folder: string, name = '../../x'): Promise<string> {
  const output = path.join(folder, 'attachment.mkv')
  await ffmpeg([
    ...['-v', 'error', '-y', '-i', await makeSource('mp4-bframes'), '-c', 'copy'],
    ...['-attach', await makeText(folder), '-metadata:s:t', 'mimetype=application/octet-stream'],
    ...['-metadata:s:t', `filename=${name}`, output],
  ])
  return output
}

/** Five thousand frames in five thousandths of a second. */
export async function makeMillionFramesPerSecond(folder: string): Promise<string> {
  const output = path.join(folder, 'million.mp4')
  await ffmpeg([
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=1000000', '-frames:v', '5000'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-video_track_timescale', '1000000', output],
  ])
  return output
}

/** A real frame of 256 million pixels, the most that ffmpeg takes, in less than a megabyte. */
export async function makeHugeFrame(folder: string, edge = 16_000): Promise<string> {
  const still = await save(folder, 'huge.png', pixelBomb(edge))
  const output = path.join(folder, 'huge.mov')
  await ffmpeg(['-v', 'error', '-y', '-i', still, '-c', 'copy', output])
  return output
}
