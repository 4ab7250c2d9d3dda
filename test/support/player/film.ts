import { readFile } from 'node:fs/promises'
import { audioFacts, frameTimes, isHdr, videoFacts } from '../hls/probe.ts'
import { ffmpeg } from '../videos/programs.ts'

const ACROSS = 16
const DOWN = 9

/** What a viewer should see of a source: by the source itself, as ffmpeg reads it. */
export interface Film {
  file: string
  content: Buffer
  /** When frames are shown, the first one at 0. */
  times: number[]
  hasSound: boolean
  /** Its brightness is another on the screen than in the file. */
  isHdr: boolean
  /** It has hardly more pixels than are compared. */
  isTiny: boolean
  picture(number: number): Promise<number[]>
}

export const FIELDS = [ACROSS, DOWN] as const

export async function openFilm(file: string): Promise<Film> {
  const [content, times, video, audio] = await Promise.all([
    readFile(file),
    frameTimes(file),
    videoFacts(file),
    audioFacts(file),
  ])
  return {
    file,
    content,
    times: times.map((time) => time - times[0]!),
    hasSound: audio.length > 0,
    isHdr: isHdr(video),
    isTiny: video.width < 4 * ACROSS,
    picture: (number) => pictureOf(file, number, video.color_space ?? 'bt709'),
  }
}

/**
 * A time at which a frame is on the screen: soon after it comes. A browser takes a frame's length from the
 * decode times, which lie closer together where a segment begins, and in the rest of a frame's real time
 * it shows the next one already.
 */
export function timeOf(film: Film, number: number, duration: number): number {
  return film.times[number]! + Math.min(0.003, lengthOf(film, number, duration) / 2)
}

export function middleOf(film: Film, number: number, duration: number): number {
  return film.times[number]! + lengthOf(film, number, duration) / 2
}

function lengthOf({ times }: Film, number: number, duration: number): number {
  return (times[number + 1] ?? duration) - times[number]!
}

async function pictureOf(file: string, number: number, colours: string): Promise<number[]> {
  const filters = [
    `select=eq(n\\,${number})`,
    // Every pixel has its colour before they are averaged; the other way round, colours would run.
    `scale=in_color_matrix=${colours}:flags=full_chroma_int`,
    'format=gbrp',
    `scale=${ACROSS}:${DOWN}:flags=area`,
  ].join(',')
  const { stdout } = await ffmpeg([
    ...['-v', 'error', '-i', file, '-map', '0:V:0', '-vf', filters, '-frames:v', '1'],
    ...['-fps_mode', 'passthrough', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-'],
  ])
  return [...stdout]
}

/** How far two pictures are apart, in steps of 256 on average. */
export function difference(one: number[], other: number[]): number {
  return one.reduce((sum, value, i) => sum + Math.abs(value - other[i]!), 0) / one.length
}

/** Whether two pictures are light and dark in the same places: 1 where they are wholly. */
export function likeness(one: number[], other: number[]): number {
  const [a, b] = [one, other].map((values) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    return values.map((value) => value - mean)
  }) as [number[], number[]]
  const product = (left: number[], right: number[]) =>
    left.reduce((sum, value, i) => sum + value * right[i]!, 0)
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b))
}
