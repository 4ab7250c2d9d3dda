import { readFileSync } from 'node:fs'
import { ffprobe } from './programs.ts'

/** Seconds of a film, or all of it. */
export interface Span {
  from?: number
  to?: number
}

/** A file in which all packets of a stream but their first bytes, or those of some seconds, have become noise. */
export async function withNoise(
  file: string,
  stream: 'a' | 'v',
  { keep = 0, from = 0, to = Infinity }: Span & { keep?: number } = {},
): Promise<Buffer> {
  const content = readFileSync(file)
  const list = await ffprobe([
    ...['-select_streams', stream, '-show_entries', 'packet=pts_time,size,pos', '-of', 'json', '-i', file],
  ])
  const packets: { pts_time: string; pos: string; size: string }[] = JSON.parse(list).packets
  let state = 1
  for (const { pts_time, pos, size } of packets) {
    if (Number(pts_time) < from || Number(pts_time) >= to) continue
    for (let i = keep; i < Number(size); i++) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0
      content[Number(pos) + i] = state >>> 24
    }
  }
  return content
}
