import { open } from 'node:fs/promises'
import type { Track } from './download.ts'

/** That subtitle segments are WebVTT, and hold the lines of their own time. */
export async function checkSubtitles(track: Track, videoEnd: number): Promise<string[]> {
  const problems: string[] = []
  const handle = await open(track.file)
  for (const [i, piece] of track.pieces.entries()) {
    const { buffer } = await handle.read(Buffer.alloc(piece.bytes), 0, piece.bytes, piece.offset)
    const text = buffer.toString()
    const say = (problem: string) => problems.push(`segment ${i} ${problem}`)
    if (!/^\ufeff?WEBVTT([ \t\r\n]|$)/.test(text)) say('is not WebVTT')
    for (const line of text.split(/\r?\n/).filter((line) => line.includes('-->'))) {
      const [from, to] = line.split('-->').map((time) => secondsOf(time.trim().split(/\s/)[0]!))
      if (from === undefined || to === undefined || !(from < to)) say(`has a malformed time: ${line}`)
      else if (to <= piece.start - 0.001 || from >= piece.start + piece.duration + 0.001)
        say(`has a line of another time: ${line}`)
    }
  }
  await handle.close()
  const end = track.pieces.reduce((sum, piece) => sum + piece.duration, 0)
  if (Math.abs(end - videoEnd) > 1)
    problems.push(`the subtitles last ${end.toFixed(3)} s and the picture ${videoEnd.toFixed(3)} s`)
  return problems
}

function secondsOf(time: string): number | undefined {
  const [, hours = '0', minutes, seconds] = /^(?:(\d{2,}):)?([0-5]\d):([0-5]\d\.\d{3})$/.exec(time) ?? []
  return minutes ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) : undefined
}
