/** Interactive jobs go first: somebody is waiting for the answer. */
export type Priority = 'interactive' | 'background'

export interface ConvertRequest {
  input: string
  output: string
  /** 0 is fastest, 9 smallest. */
  effort: number
  /** 1 to 100. */
  quality?: number
  priority?: Priority
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

export interface ResizeRequest {
  input: string
  output: string
  width?: number
  height?: number
  /** `cover` fills the box and cuts off what hangs over; `contain` fits inside it. */
  fit: 'cover' | 'contain'
  format: (typeof RESIZE_FORMATS)[number]
  quality?: number
  priority?: Priority
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
