import { Refusal } from '../base/errors.ts'
import type { FileKind } from './address.ts'

export const MAX_BYTES: Record<FileKind, number> = { image: 100 * 2 ** 20, video: 2 * 2 ** 30 }

export function tooLarge(maxBytes: number): Refusal {
  return new Refusal(413, { details: `at most ${maxBytes} bytes are taken` })
}
