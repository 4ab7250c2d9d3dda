import type { ByteRange } from './port.ts'

export function checkRange({ start, end = start }: ByteRange): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start)
    throw new TypeError(`not a range of bytes: ${start} to ${end}`)
}
