import { thumbHashToRGBA } from 'thumbhash'

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
  if (!/\/proj_\w+\/file_\w+$/.test(address)) return address
  const pixels = shownWidth * (globalThis.devicePixelRatio || 1)
  return `${address}?w=${WIDTHS.find((width) => width >= pixels) ?? WIDTHS.at(-1)}`
}
