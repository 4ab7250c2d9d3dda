import type { Priority } from '../../base/async/fair-queue.ts'

interface Request {
  input: string
  output: string
  /** For whom: children are shared fairly between tenants. */
  tenant: string
  /** Interactive unless it is said otherwise. */
  priority?: Priority
}

export interface ConvertRequest extends Request {
  /** 0 is fastest, 9 smallest. */
  effort: number
  /** 1 to 100. */
  quality?: number
  /** Of what moves, the first picture. */
  isStill?: boolean
}

export interface ConvertedImage {
  /** As shown, after turning it upright. */
  width: number
  height: number
  /** Base64. */
  thumbhash: string
  hasAlpha: boolean
  /** Whether it is an animated WebP, and no AVIF. */
  moves: boolean
  bytes: number
}

export const RESIZE_FORMATS = ['avif', 'webp', 'jpg', 'png', 'gif'] as const

/** Sides and corners of what is sent. */
export const COMPASS = [
  'center',
  'north',
  'northeast',
  'east',
  'southeast',
  'south',
  'southwest',
  'west',
  'northwest',
] as const

/** A place in a picture, from 0 at its left and top to 1. */
export interface FocalPoint {
  x: number
  y: number
}

/** What stays in view where something is cut off; `smart` is what draws the eye. */
export type Gravity = (typeof COMPASS)[number] | 'smart' | FocalPoint

export interface ResizeRequest extends Request {
  width?: number
  height?: number
  /** `cover` fills the box and cuts off what hangs over; `contain` fits inside it; `fill` is stretched to its sides. */
  fit: 'cover' | 'contain' | 'fill'
  /** Of `cover`; a point is one of the picture as it is, before it is turned. */
  gravity?: Gravity
  format: (typeof RESIZE_FORMATS)[number]
  quality?: number
  /** In AVIF and WebP; the others can do only one of the two. */
  lossless?: boolean
  /** Clockwise, in degrees. The box is that of the turned picture. */
  rotate?: 90 | 180 | 270
  /** After it is turned: `h` exchanges left and right, `v` top and bottom. */
  flip?: 'h' | 'v' | 'both'
  /** Sigma, in pixels of what is sent; the same for `sharpen`. */
  blur?: number
  sharpen?: number
  /** What shows through, as `#rrggbb`; without it only JPEG, which knows no transparency, gets one: white. */
  background?: string
  /** Takes away a border of one colour that differs by no more than this, of 255. */
  trim?: number
}

export interface ResizedImage {
  width: number
  height: number
  bytes: number
}

export interface ImagePool {
  /** To AVIF, or what moves to animated WebP: upright, without metadata. */
  convert(request: ConvertRequest): Promise<ConvertedImage>
  /** From what `convert` takes or makes; never enlarges. What moves goes on moving in WebP and GIF. */
  resize(request: ResizeRequest): Promise<ResizedImage>
  close(): Promise<void>
}
