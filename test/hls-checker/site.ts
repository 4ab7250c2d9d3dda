import { readFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { boxesOf, findBox } from '../support/videos/boxes.ts'
import { ffmpeg } from '../support/videos/programs.ts'

/** Everything that is served, by its path below that of the video. */
export type Site = Map<string, string | Buffer>

export interface Encoded {
  init: Buffer
  segments: { content: Buffer; seconds: number }[]
}

const FRAGMENTS = 'default_base_moof+skip_trailer'

/** H.264 in groups of two seconds, each a segment. */
export function encodeVideo(
  source: string,
  height: number,
  folder: string,
  filters = 'null',
  args: string[] = [],
) {
  return encode(source, path.join(folder, `v${height}.mp4`), [
    ...['-map', '0:v', '-vf', `scale=-2:${height},${filters}`, ...args],
    ...[
      '-pix_fmt',
      'yuv420p',
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-crf',
      '20',
      '-bf',
      '2',
      '-sc_threshold',
      '0',
    ],
    ...[
      '-force_key_frames',
      'expr:gte(t,n_forced*2)',
      '-profile:v',
      'high',
      '-level',
      '3.1',
      '-vsync',
      'passthrough',
    ],
    ...['-movflags', `frag_keyframe+empty_moov+negative_cts_offsets+${FRAGMENTS}`],
  ])
}

export function encodeAudio(source: string, folder: string, filters = 'anull') {
  return encode(source, path.join(folder, 'audio.mp4'), [
    ...['-map', '0:a', '-af', filters, '-c:a', 'aac', '-b:a', '128k'],
    ...['-frag_duration', '2000000', '-movflags', `delay_moov+${FRAGMENTS}`],
  ])
}

async function encode(source: string, output: string, args: string[]): Promise<Encoded> {
  await ffmpeg(['-v', 'error', '-y', '-i', source, ...args, '-f', 'mp4', output])
  const boxes = boxesOf(await readFile(output))
  const init = Buffer.concat(boxes.slice(0, 2).map(({ whole }) => whole))
  const timescale = findBox(init, 'moov/trak/mdia/mdhd')!.readUInt32BE(12)
  const starts = boxes.filter(({ type }) => type === 'moof')
  const tfdt = (moof: Buffer) => Number(findBox(moof, 'traf/tfdt')!.readBigUInt64BE(4))
  const segments = starts.map(({ whole, body }, i) => {
    const next = starts[i + 1]
    const length = next ? tfdt(next.body) - tfdt(body) : lastLength(body)
    return {
      content: Buffer.concat([whole, boxes[boxes.indexOf(starts[i]!) + 1]!.whole]),
      seconds: length / timescale,
    }
  })
  return { init, segments: joinShort(segments) }
}

/** Of a fragment whose samples all have the length that its heading gives. */
const lastLength = (moof: Buffer) =>
  findBox(moof, 'traf/trun')!.readUInt32BE(4) * findBox(moof, 'traf/tfhd')!.readUInt32BE(8)

/** A crumb at the end goes to the segment before, as a second fragment of it. */
function joinShort(segments: Encoded['segments']): Encoded['segments'] {
  const [last, before] = [segments.at(-1)!, segments.at(-2)]
  if (last.seconds > 0.5 || !before) return segments
  const joined = {
    content: Buffer.concat([before.content, last.content]),
    seconds: before.seconds + last.seconds,
  }
  return [...segments.slice(0, -2), joined]
}

export function put(site: Site, folder: string, { init, segments }: Encoded): void {
  site.set(`${folder}/init.mp4`, init)
  for (const [i, { content }] of segments.entries()) site.set(`${folder}/${i}.m4s`, content)
  site.set(
    `${folder}/index.m3u8`,
    playlist(
      segments.map(({ seconds }, i) => [`${i}.m4s`, seconds]),
      true,
    ),
  )
}

export function playlist(segments: [string, number][], hasMap: boolean): string {
  const lines = segments.map(([uri, seconds]) => `#EXTINF:${seconds.toFixed(6)},\n${uri}\n`)
  return (
    '#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n' +
    `${hasMap ? '#EXT-X-MAP:URI="init.mp4"\n' : ''}${lines.join('')}#EXT-X-ENDLIST\n`
  )
}

/** The same segment, said to begin later by so many units. */
export function delayed(segment: Buffer, units: number): Buffer {
  const copy = Buffer.from(segment)
  const [moof] = boxesOf(copy)
  const tfdt = findBox(moof!.body, 'traf/tfdt')!
  tfdt.writeBigUInt64BE(tfdt.readBigUInt64BE(4) + BigInt(units), 4)
  return copy
}

const TYPES: Record<string, string> = {
  '.m3u8': 'application/vnd.apple.mpegurl',
  '': 'application/vnd.apple.mpegurl',
  '.mp4': 'video/mp4',
  '.m4s': 'video/mp4',
  '.vtt': 'text/vtt',
}

/** Serves a site at an address without a slash at its end. */
export async function serve(site: Site): Promise<{ url: string; close(): Promise<void> }> {
  const server = http.createServer((request, response) => {
    const name = request.url!.replace(/^\/cdn\/project\//, '')
    const content = site.get(name)
    const type = TYPES[path.extname(name)]?.replace('video', name.includes('/audio') ? 'audio' : 'video')
    if (content === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': type }).end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/cdn/project/file`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
