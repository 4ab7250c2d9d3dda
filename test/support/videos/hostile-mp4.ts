import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { box, boxesOf, changeBoxes } from './boxes.ts'
import { save } from './hostile.ts'
import { ffmpeg } from './programs.ts'
import { makeSource } from './sources.ts'

/** One small video with its only track listed over and over. */
export async function makeManyStreams(folder: string, count = 2000): Promise<string> {
  const single = await readFile(await makeSource('one-frame'))
  const many = changeBoxes(single, 'moov', (moov) => {
    const inside = boxesOf(moov)
    const track = inside.find(({ type }) => type === 'trak')!.whole
    const copies = Array.from({ length: count }, (_, i) => numbered(track, i + 1))
    return Buffer.concat([inside.find(({ type }) => type === 'mvhd')!.whole, ...copies])
  })
  return save(folder, 'many-streams.mp4', many)
}

const numbered = (track: Buffer, id: number) =>
  changeBoxes(track, 'trak/tkhd', (heading) => {
    const copy = Buffer.from(heading)
    copy.writeUInt32BE(id, 12)
    return copy
  })

/** A track whose pictures are said to lie in another file, as MP4 says it or as QuickTime does. */
export async function makeExternalData(folder: string, target: string, as: 'url' | 'alias'): Promise<string> {
  const whole = await readFile(await makeSource('no-audio'))
  const reference = as === 'url' ? url(target) : alias(target)
  const changed = changeBoxes(whole, 'moov/trak/mdia/minf/dinf/dref', () =>
    Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), reference]),
  )
  return save(folder, `external-${as}.mp4`, changed)
}

const url = (target: string) => box('url ', Buffer.alloc(4), Buffer.from(`file://${target}\0`))

function alias(target: string): Buffer {
  const fixed = Buffer.alloc(150)
  fixed.writeUInt16BE(2, 6)
  // The number of folders up to the common one and down to the file, as if both lay side by side.
  fixed.writeUInt16BE(1, 130)
  fixed.writeUInt16BE(1, 132)
  const name = Buffer.from(target.length % 2 ? `${target}\0` : target)
  const heading = Buffer.alloc(4)
  heading.writeUInt16BE(2, 0)
  heading.writeUInt16BE(name.length, 2)
  return box('alis', Buffer.alloc(4), fixed, heading, name, Buffer.from([0xff, 0xff, 0, 0]))
}

/** A small picture whose every heading claims to be a large one. */
export async function makeClaimedSize(folder: string, edge = 20_000): Promise<string> {
  const small = path.join(folder, 'small.mov')
  await ffmpeg([
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=25:d=1'],
    ...['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', small],
  ])
  const content = await readFile(small)
  for (let at = content.indexOf(JPEG_FRAME); at > 0; at = content.indexOf(JPEG_FRAME, at + 1))
    claim(content, at + 5)
  const inTrack = changeBoxes(content, 'moov/trak/tkhd', (heading) => {
    heading.writeUInt32BE(edge << 16, heading.length - 8)
    heading.writeUInt32BE(edge << 16, heading.length - 4)
    return heading
  })
  const everywhere = changeBoxes(inTrack, 'moov/trak/mdia/minf/stbl/stsd', (entries) => claim(entries, 40))
  return save(folder, 'claimed-size.mov', everywhere)

  function claim(where: Buffer, at: number): Buffer {
    where.writeUInt16BE(edge, at)
    where.writeUInt16BE(edge, at + 2)
    return where
  }
}

const JPEG_FRAME = Buffer.from('ffc0001108', 'hex')
