import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { makePhoto } from './photo.ts'

const exec = promisify(execFile)

export interface Film {
  width: number
  height: number
  seconds: number
  /** Pictures between two key pictures: two seconds of them can be copied, twenty cannot. */
  keyEvery: number
}

/** A camera that wanders over a landscape, with grain in its pictures and wind to be heard. */
export async function makeFilm(folder: string, name: string, film: Film): Promise<string> {
  const file = path.join(folder, `${name}.mp4`)
  if (existsSync(file)) return file
  const { width, height, seconds, keyEvery } = film
  const landscape = path.join(folder, `${name}.jpg`)
  writeFileSync(landscape, (await makePhoto(Math.round(width * 1.5), Math.round(height * 1.5))).jpeg)
  const camera = [
    // Decoded once, shown as often as it takes.
    'loop=loop=-1:size=1',
    'fps=30',
    `crop=${width}:${height}:x=(iw-ow)/2*(1+0.8*sin(t/5)):y=(ih-oh)/2*(1+0.8*cos(t/7))`,
    'format=yuv420p',
    'noise=c0s=7:c0f=t',
  ]
  const wind = 'anoisesrc=color=brown:amplitude=0.4:sample_rate=48000,tremolo=f=0.3'
  await exec('ffmpeg', [
    ...['-v', 'error', '-y', '-i', landscape, '-f', 'lavfi', '-i', wind],
    ...['-t', String(seconds), '-vf', camera.join(','), '-r', '30'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '22', '-maxrate', '6M', '-bufsize', '12M'],
    ...['-x264-params', `keyint=${keyEvery}:min-keyint=${keyEvery}:scenecut=0:open-gop=0`],
    ...['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-movflags', '+faststart', file],
  ])
  return file
}

/** The same over and over, without encoding it again. */
export async function repeatFilm(
  folder: string,
  name: string,
  source: string,
  times: number,
): Promise<string> {
  const file = path.join(folder, `${name}.mp4`)
  if (existsSync(file)) return file
  const loop = ['-stream_loop', String(times - 1), '-i', source, '-c', 'copy', '-movflags', '+faststart']
  await exec('ffmpeg', ['-v', 'error', '-y', ...loop, file])
  return file
}
