import { open, rm, writeFile } from 'node:fs/promises'
import { ffmpeg } from '../videos/programs.ts'
import type { Track } from './download.ts'

const MOST_SEGMENTS = 8

/** Decodes the whole, and some segments with nothing but the initialization segment before them. */
export async function checkDecoding(track: Track): Promise<string[]> {
  const problems: string[] = []
  const total = track.pieces.reduce((sum, piece) => sum + piece.samples.length, 0)
  problems.push(...(await decode(track.file, track, total)).map((problem) => `as a whole, ${problem}`))
  const step = Math.ceil(track.pieces.length / MOST_SEGMENTS)
  for (const [i, piece] of track.pieces.entries()) {
    if (i % step !== 0 && i !== track.pieces.length - 1) continue
    const alone = `${track.file}.alone.mp4`
    const init = await slice(track.file, 0, track.initBytes)
    await writeFile(alone, [init, await slice(track.file, piece.offset, piece.bytes)])
    const found = await decode(alone, track, piece.samples.length)
    problems.push(...found.map((problem) => `segment ${i} alone ${problem}`))
    await rm(alone)
  }
  return problems
}

async function slice(file: string, position: number, length: number): Promise<Buffer> {
  const handle = await open(file)
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, position)
  await handle.close()
  return buffer
}

async function decode(file: string, { kind }: Track, samples: number): Promise<string[]> {
  const args = ['-v', 'error', '-i', file, '-map', '0', '-vsync', 'passthrough']
  // Finer than any frame rate that ffmpeg may guess, which it would otherwise round the times to.
  if (kind === 'video') args.push('-enc_time_base', '1:90000')
  const { stdout, stderr } = await ffmpeg([...args, '-f', 'framecrc', '-'])
  if (stderr) return [`does not decode: ${stderr.split('\n')[0]}`]
  if (kind === 'audio') return []
  const times = [...stdout.toString().matchAll(/^\d+, +-?\d+, +(-?\d+),/gm)].map(([, time]) => Number(time))
  if (times.length !== samples) return [`decodes to ${times.length} frames out of ${samples}`]
  if (times.some((time, i) => i > 0 && time <= times[i - 1]!)) return ['shows its frames in another order']
  return []
}
