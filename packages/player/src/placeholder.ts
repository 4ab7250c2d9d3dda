import { thumbHashToRGBA } from 'thumbhash'

interface Placeholder {
  thumbhash: string | undefined
  poster: string | undefined
  /** In the pixels of a page. */
  width: number
}

/** What is seen before anything plays: a thumbhash, and over it the poster once all of it is there. */
export function showPlaceholder(part: HTMLElement, { thumbhash, poster, width }: Placeholder): void {
  const canvas = part.querySelector('canvas')!
  canvas.hidden = !thumbhash
  if (thumbhash) drawThumbhash(canvas, thumbhash)
  const image = part.querySelector('img')!
  image.hidden = !poster
  if (!poster) return
  image.onload = () => image.classList.add('ready')
  image.src = posterFor(poster, width)
}

/** Draws a thumbhash, which is some thirty bytes, in place of a picture that is not there yet. */
export function drawThumbhash(canvas: HTMLCanvasElement, thumbhash: string): void {
  const bytes = Uint8Array.from(atob(thumbhash), (char) => char.charCodeAt(0))
  const { w, h, rgba } = thumbHashToRGBA(bytes)
  Object.assign(canvas, { width: w, height: h })
  canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(rgba), w, h), 0, 0)
}

const WIDTHS = [480, 960, 1280, 1920, 2560]

/** A poster of the service, no larger than it is shown; anything else as it is. */
export function posterFor(address: string, shownWidth: number): string {
  if (!/\/proj_\w+\/file_\w+(\?token=[^&]*)?$/.test(address)) return address
  const pixels = shownWidth * (globalThis.devicePixelRatio || 1)
  return `${address}${address.includes('?') ? '&' : '?'}w=${WIDTHS.find((width) => width >= pixels) ?? WIDTHS.at(-1)}`
}
