/** What a recipe may ask for: other files that are made first. */
export interface Kitchen {
  /** Another kind's file. */
  other(kind: string): Promise<string>
  /** A text file to read from. */
  note(text: string): Promise<string>
}

export interface Recipe {
  extension: string
  args(kitchen: Kitchen): string[] | Promise<string[]>
}

export interface Picture {
  size?: string
  rate?: string | number
  seconds?: number
  /** Filters after the picture is drawn. */
  filters?: string
}

/**
 * Sharp edges, slow gradients and fine detail, all moving, and no frame like the one before; a noise on
 * every pixel would be nothing that an encoder is made for.
 */
export function picture({
  size = '320x180',
  rate = 25,
  seconds = 4,
  filters = 'null',
}: Picture = {}): string[] {
  const fractal = `mandelbrot=s=320x180:r=${rate}:maxiter=100:start_scale=1,scale=${size.replace('x', ':')}`
  const graph =
    `testsrc2=s=${size}:r=${rate}:d=${seconds},format=yuv420p[a];${fractal},format=yuv420p[b];` +
    `[a][b]blend=shortest=1:all_opacity=0.6,${filters}`
  return ['-f', 'lavfi', '-i', graph]
}

export interface Sound {
  seconds?: number
  seed?: number
  filters?: string
}

/** Noise that swells and fades: it resembles itself at one place only. */
export function sound({
  seconds = 4,
  seed = 7,
  filters = 'pan=stereo|c0=c0|c1=0.8*c0',
}: Sound = {}): string[] {
  const graph = `anoisesrc=c=pink:a=0.5:r=48000:d=${seconds}:seed=${seed},tremolo=f=1.7:d=0.8,${filters}`
  return ['-f', 'lavfi', '-i', graph]
}

export const h264 = (parameters = 'keyint=50:min-keyint=50:scenecut=0') => [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '20', '-pix_fmt', 'yuv420p'],
  ...['-x264-params', parameters],
]
export const hevc = (parameters = 'keyint=50') => [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '22', '-tag:v', 'hvc1'],
  ...['-x265-params', `log-level=none:${parameters}`],
]
export const aac = ['-c:a', 'aac', '-b:a', '128k']
