import { checkSize, type SizeOptions } from '../images/index.ts'
import type { FocalPoint, Gravity, ResizeRequest } from '../media/images/port.ts'

/** All that is done to a picture but its format. */
export type Size = Omit<ResizeRequest, 'input' | 'output' | 'tenant' | 'priority' | 'format'>

const MAX_PIXELS = 8192

/** What a query asks for, with whatever makes no difference left out: two that mean the same are one size. */
export function sizeOf(options: SizeOptions): Size {
  checkSize(options, 'query')
  const { w, h, dpr, fit, gravity, rotate, flip, trim, blur, sharpen, background, q, lossless } = options
  const pixels = (side: number | undefined) => side && Math.min(MAX_PIXELS, Math.round(side * (dpr ?? 1)))
  return {
    width: pixels(w),
    height: pixels(h),
    fit: fit ?? 'contain',
    ...(gravity && { gravity: gravityOf(gravity) }),
    ...(rotate && { rotate }),
    ...(flip && { flip }),
    ...(trim && { trim }),
    ...(blur && { blur: tenths(blur) }),
    ...(sharpen && { sharpen: tenths(sharpen) }),
    ...(background && { background: `#${background.toLowerCase()}` }),
    ...(q && { quality: q }),
    ...(lossless && { lossless }),
  }
}

/** Whether nothing is done to the picture at all. */
export function isWhole({ fit: _, ...size }: Size): boolean {
  return Object.values(size).every((value) => value === undefined)
}

/** What tells a size from all others of its picture, as part of a file's name. */
export function nameOf(size: Size): string {
  const { width = '', height = '', fit, gravity, rotate, flip, trim, blur, sharpen, quality = '' } = size
  const more = {
    g: typeof gravity === 'object' ? `${gravity.x},${gravity.y}` : gravity,
    r: rotate,
    f: flip,
    t: trim,
    b: blur,
    s: sharpen,
    c: size.background?.slice(1),
    l: size.lossless && 1,
  }
  const parts = Object.entries(more).filter(([, value]) => value !== undefined)
  return [`${width}x${height}`, fit, quality, ...parts.map((part) => part.join(''))].join('-')
}

function gravityOf(text: string): Gravity {
  const [x, y] = text.split(',').map(Number)
  return y === undefined ? (text as Exclude<Gravity, FocalPoint>) : { x: x!, y }
}

const tenths = (value: number) => Math.round(value * 10) / 10
