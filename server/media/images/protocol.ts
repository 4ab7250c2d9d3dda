import type { ConvertRequest, ResizeRequest } from './port.ts'
import type { ImageFormat } from './sniff.ts'

type Settings<Request> = Omit<Request, 'input' | 'output' | 'tenant' | 'priority'>

/** What a child is asked; the image follows as payload. */
export type ImageTask = { source: ImageFormat } & (
  | ({ operation: 'convert' } & Settings<ConvertRequest>)
  | ({ operation: 'resize' } & Settings<ResizeRequest>)
)

/** What a child answers, first that it has begun; the new image follows as payload when it is done. */
export type ImageAnswer =
  | { outcome: 'begun' }
  | ({ outcome: 'done' } & Result)
  | { outcome: 'unsupported'; reason: string }
  | { outcome: 'failed' }

export interface Result {
  width: number
  height: number
  hasAlpha: boolean
  moves: boolean
  /** Empty when it was not asked for. */
  thumbhash: string
}

/** A child that was taken over by an image may say anything: believe only what has the right shape. */
export function readAnswer(header: unknown): ImageAnswer {
  const { outcome, reason, width, height, hasAlpha, moves, thumbhash } = Object(header)
  if (outcome === 'begun' || outcome === 'failed') return { outcome }
  if (outcome === 'unsupported' && typeof reason === 'string' && /^[ -~]{1,200}$/.test(reason))
    return { outcome, reason }
  const isSide = (side: unknown) =>
    Number.isInteger(side) && (side as number) > 0 && (side as number) < 2 ** 24
  const isHash = typeof thumbhash === 'string' && /^[A-Za-z0-9+/=]{0,64}$/.test(thumbhash)
  const areFlags = typeof hasAlpha === 'boolean' && typeof moves === 'boolean'
  if (outcome === 'done' && isSide(width) && isSide(height) && areFlags && isHash)
    return { outcome, width, height, hasAlpha, moves, thumbhash }
  throw new Error('the answer has no known shape')
}
