import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { ffmpeg } from '../videos/programs.ts'
import type { Track, TrackKind } from './download.ts'

const MOST_SEGMENTS = 8

/** What is to be decoded by itself, and how many samples are in it. */
interface Part {
  label: string
  file: string
  samples: number
}

/** Decodes the whole, and some segments with nothing but the initialization segment before them. */
export async function checkDecoding(track: Track): Promise<string[]> {
  const samples = track.pieces.reduce((sum, piece) => sum + piece.samples.length, 0)
  const segments = await cutOut(track)
  const parts = [{ label: 'as a whole,', file: track.file, samples }, ...segments]
  const decoded = await decode(parts, track.kind)
  await Promise.all(segments.map(({ file }) => rm(file)))
  return parts.flatMap(({ label, samples }, i) => {
    const problem = problemOf(decoded[i]!, track.kind, samples)
    return problem ? [`${label} ${problem}`] : []
  })
}

/** Some segments, each in a file with the initialization segment. */
async function cutOut(track: Track): Promise<Part[]> {
  const init = await slice(track.file, 0, track.initBytes)
  const step = Math.ceil(track.pieces.length / MOST_SEGMENTS)
  const chosen = [...track.pieces.entries()].filter(([i]) => i % step === 0 || i === track.pieces.length - 1)
  return Promise.all(
    chosen.map(async ([i, { offset, bytes, samples }]) => {
      const file = `${track.file}.${i}.mp4`
      await writeFile(file, [init, await slice(track.file, offset, bytes)])
      return { label: `segment ${i} alone`, file, samples: samples.length }
    }),
  )
}

async function slice(file: string, position: number, length: number): Promise<Buffer> {
  const handle = await open(file)
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, position)
  await handle.close()
  return buffer
}

interface Decoded {
  frames: string
  complaint: string
}

/** All at once, since starting ffmpeg takes longer than a segment; where it complains, one by one: about which? */
async function decode(parts: Part[], kind: TrackKind): Promise<Decoded[]> {
  if (parts.length > 1) {
    const together = await decodeTogether(parts, kind).catch(() => undefined)
    if (together?.every(({ complaint }) => complaint === '')) return together
  }
  const decoded: Decoded[] = []
  for (const part of parts) decoded.push(...(await decodeTogether([part], kind)))
  return decoded
}

async function decodeTogether(parts: Part[], kind: TrackKind): Promise<Decoded[]> {
  const listing = ({ file }: Part) => `${file}.framecrc`
  // Finer than any frame rate that ffmpeg may guess, which it would otherwise round the times to.
  const clock = kind === 'video' ? ['-enc_time_base', '1:90000'] : []
  const { stderr } = await ffmpeg([
    ...['-v', 'error', ...parts.flatMap(({ file }) => ['-i', file])],
    ...parts.flatMap((part, i) => [
      ...['-map', `${i}`, '-fps_mode', 'passthrough', ...clock, '-f', 'framecrc', '-y', listing(part)],
    ]),
  ])
  return Promise.all(
    parts.map(async (part) => ({ frames: await readFile(listing(part), 'utf8'), complaint: stderr })),
  )
}

function problemOf({ frames, complaint }: Decoded, kind: TrackKind, samples: number): string | undefined {
  if (complaint) return `does not decode: ${complaint.split('\n')[0]}`
  if (kind === 'audio') return undefined
  const times = [...frames.matchAll(/^\d+, +-?\d+, +(-?\d+),/gm)].map(([, time]) => Number(time))
  if (times.length !== samples) return `decodes to ${times.length} frames out of ${samples}`
  if (times.some((time, i) => i > 0 && time <= times[i - 1]!)) return 'shows its frames in another order'
  return undefined
}
