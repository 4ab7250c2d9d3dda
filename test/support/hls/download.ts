import { open } from 'node:fs/promises'
import path from 'node:path'
import { beginsAnew, readSegment, type Sample } from './fragments.ts'
import { type Init, readInit } from './init.ts'
import { type MediaPlaylist, parseMedia } from './playlist.ts'

export const PLAYLIST = ['application/vnd.apple.mpegurl']
export type TrackKind = 'video' | 'audio' | 'subtitles'
const CONTENT: Record<TrackKind, string[]> = {
  video: ['video/mp4', 'video/iso.segment'],
  audio: ['audio/mp4', 'audio/iso.segment', 'video/iso.segment'],
  subtitles: ['text/vtt'],
}

type SampleTimes = Omit<Sample, 'data'>

/** A segment that came, and where it lies in the track's file. */
export interface Piece {
  duration: number
  start: number
  offset: number
  bytes: number
  samples: SampleTimes[]
  beginsAnew: boolean
}

/** One rendition with everything in it. */
export interface Track {
  kind: TrackKind
  label: string
  playlist: MediaPlaylist
  /** The initialization segment and all others, in a row. */
  file: string
  init?: Init
  initBytes: number
  pieces: Piece[]
  problems: string[]
}

/** Gets a file, and holds its status and content type against it. */
export async function get(url: URL, types: string[], problems: string[]): Promise<Buffer> {
  const address = new URL(url.href.replace('//localhost', '//127.0.0.1'))
  const response = await fetch(address)
  const content = Buffer.from(await response.arrayBuffer())
  if (response.status !== 200) throw new Error(`${url.pathname} answers ${response.status}`)
  const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? 'nothing'
  if (!types.includes(type)) problems.push(`${url.pathname} is served as ${type}`)
  return content
}

/** Downloads a rendition whole; what cannot be read ends it, and is among its problems. */
export async function download(url: URL, kind: TrackKind, label: string, folder: string): Promise<Track> {
  const problems: string[] = []
  const playlist: MediaPlaylist = {
    targetDuration: 0,
    segments: [],
    independentSegments: false,
    problems: [],
  }
  const file = path.join(folder, kind)
  const track: Track = { kind, label, playlist, file, initBytes: 0, pieces: [], problems }
  const output = await open(file, 'w')
  try {
    track.playlist = parseMedia((await get(url, PLAYLIST, problems)).toString())
    problems.push(...track.playlist.problems)
    await fill(track, url, (content) => output.appendFile(content))
  } catch (error) {
    problems.push((error as Error).message)
  } finally {
    await output.close()
  }
  return track
}

async function fill(track: Track, base: URL, append: (content: Buffer) => Promise<void>): Promise<void> {
  const { playlist, kind, problems } = track
  const types = CONTENT[kind]
  if ((playlist.map === undefined) !== (kind === 'subtitles'))
    problems.push(playlist.map === undefined ? '#EXT-X-MAP is missing' : '#EXT-X-MAP has no place here')
  if (playlist.map !== undefined) {
    const content = await get(new URL(playlist.map, base), types, problems)
    track.init = readInit(content)
    track.initBytes = content.length
    await append(content)
  }
  let offset = track.initBytes
  for (const [i, { uri, duration, start }] of playlist.segments.entries()) {
    const content = await get(new URL(uri, base), types, problems)
    const samples = track.init ? samplesOf(content, track.init, i) : []
    const anew = samples.slice(0, 1).some((first) => first.isSync && beginsAnew(first))
    const times = samples.map(({ data: _, ...times }) => times)
    track.pieces.push({ duration, start, offset, bytes: content.length, samples: times, beginsAnew: anew })
    await append(content)
    offset += content.length
  }
}

function samplesOf(content: Buffer, init: Init, index: number): Sample[] {
  try {
    return readSegment(content, init)
  } catch (error) {
    throw new Error(`segment ${index} cannot be read: ${(error as Error).message}`)
  }
}
