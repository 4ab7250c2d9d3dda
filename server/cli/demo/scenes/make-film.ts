import { spawn } from 'node:child_process'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { RATE, type Scene } from './scene.ts'

export interface MakeFilmOptions {
  ffmpeg: string
  signal: AbortSignal
  /** How much of it is made, from 0 to 1. */
  onProgress(share: number): void
}

/** How much of the work it is to draw the layers. */
const DRAWING = 0.15

/** Draws a scene and has ffmpeg make a film of it; the file is there whole, or not at all. */
export async function makeFilm(scene: Scene, file: string, options: MakeFilmOptions): Promise<void> {
  const folder = await mkdtemp(path.join(path.dirname(file), 'layers-'))
  const half = path.join(folder, 'film.mp4')
  try {
    const { layers, graph, sound } = await scene.draw(folder)
    options.signal.throwIfAborted()
    options.onProgress(DRAWING)
    const inputs = layers.flatMap((layer) => ['-framerate', String(RATE), '-i', layer])
    await run([...COMMON, ...inputs, ...encoding(scene, [...graph, sound]), half], scene, options)
    await rename(half, file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const COMMON = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-progress', 'pipe:1', '-y']

function encoding({ seconds }: Scene, graph: string[]): string[] {
  const ending = `afade=t=in:d=1.5,afade=t=out:st=${seconds - 2}:d=2,aformat=sample_rates=48000:channel_layouts=stereo`
  return [
    ...['-filter_complex', [...graph, `[sound]${ending}[bed]`].join(';')],
    ...['-map', '[picture]', '-map', '[bed]', '-t', String(seconds)],
    // A keyframe every two seconds: the service then offers these pictures as they are.
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '24', '-maxrate', '4M', '-bufsize', '8M'],
    ...['-g', String(RATE * 2), '-keyint_min', String(RATE * 2), '-sc_threshold', '0', '-r', String(RATE)],
    ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
    ...['-c:a', 'aac', '-b:a', '112k', '-movflags', '+faststart'],
  ]
}

function run(
  args: string[],
  { seconds }: Scene,
  { ffmpeg, signal, onProgress }: MakeFilmOptions,
): Promise<void> {
  const child = spawn(ffmpeg, args, { stdio: ['ignore', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000)
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const frame = /frame=(\d+)(?![\s\S]*frame=)/.exec(text)?.[1]
    if (frame) onProgress(DRAWING + ((1 - DRAWING) * Number(frame)) / (seconds * RATE))
  })
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new Error(`${ffmpeg} is not there; MARQUEE_FFMPEG says where it is`)
          : error,
      ),
    )
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(signal.aborted ? signal.reason : new Error(`ffmpeg failed: ${said}`)),
    )
  })
}
