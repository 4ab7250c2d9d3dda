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
}

export interface ConvertedImage {
  /** As shown, after turning it upright. */
  width: number
  height: number
  /** Base64. */
  thumbhash: string
  hasAlpha: boolean
  bytes: number
}

export const RESIZE_FORMATS = ['avif', 'webp', 'jpg', 'png'] as const

export interface ResizeRequest extends Request {
  width?: number
  height?: number
  /** `cover` fills the box and cuts off what hangs over; `contain` fits inside it. */
  fit: 'cover' | 'contain'
  format: (typeof RESIZE_FORMATS)[number]
  quality?: number
}

export interface ResizedImage {
  width: number
  height: number
  bytes: number
}

export interface ImagePool {
  /** From JPEG, PNG, WebP or HEIC to AVIF: upright, without metadata. */
  convert(request: ConvertRequest): Promise<ConvertedImage>
  /** From what `convert` takes or makes; never enlarges. */
  resize(request: ResizeRequest): Promise<ResizedImage>
  close(): Promise<void>
}
