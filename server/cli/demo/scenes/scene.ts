/** A film that is drawn once and moved by ffmpeg. */
export interface Scene {
  width: number
  height: number
  seconds: number
  /** Draws still layers into a folder, and says what becomes of them. */
  draw(folder: string): Promise<Composition>
}

export interface Composition {
  /** Files of the layers: the inputs of the graph, in this order. */
  layers: string[]
  /** An ffmpeg filter graph whose last label is `[picture]`. */
  graph: string[]
  /** An ffmpeg filter graph without inputs, whose last label is `[sound]`. */
  sound: string
}

export const RATE = 24

const TO_YUV = 'scale=out_color_matrix=bt709:out_range=tv'

/** A still layer as an endless stream. Converted before it is repeated, so that it is done once. */
export function still(input: number, format: 'gbrp' | 'gbrap' | 'yuv444p' | 'yuva444p' = 'gbrap'): string {
  const colours = format.startsWith('yuv') ? `${TO_YUV},` : ''
  return `[${input}:v]${colours}format=${format},loop=loop=-1:size=1,setpts=N,fps=${RATE}`
}

/** A window that moves over a layer, in whole pixels for each frame `n`; costs nothing, as nothing is copied. */
export function window(width: number, height: number, x: string, y = '0'): string {
  return `crop=w=${width}:h=${height}:x='${x}':y='${y}':exact=1`
}

/**
 * Draws one over another, in steps of a pixel: formats with less colour know only steps of two. Where light is not
 * added up, yuv444 is much faster.
 */
export function over(x = '0', y = '0', format: 'gbrp' | 'yuv444' = 'gbrp'): string {
  return `overlay=x='${x}':y='${y}':format=${format}:eval=frame`
}

/** From one picture to the next, again and again: the light of a day. */
export function crossfade(labels: string[], seconds: number, out: string): string[] {
  return labels.slice(1).map((label, i) => {
    const before = i === 0 ? labels[0] : `fade${out}${i}`
    const after = i === labels.length - 2 ? out : `fade${out}${i + 1}`
    const offset = (i * seconds).toFixed(3)
    return `[${before}][${label}]xfade=transition=fade:duration=${seconds.toFixed(3)}:offset=${offset}[${after}]`
  })
}

/** What every picture gets in the end: a little grain, and what players expect. */
export const FINISH = `${TO_YUV},format=yuv420p,noise=c0s=5:c0f=t`
