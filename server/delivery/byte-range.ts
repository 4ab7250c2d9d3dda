export type RangeRequest = { start: number; end: number } | 'whole' | 'unsatisfiable'

/**
 * Reads a Range header for a body of this size. One range is honoured; several, other units and
 * malformed ones are ignored, as RFC 9110 allows, and the whole body is sent.
 */
export function readRange(header: string | undefined, size: number): RangeRequest {
  const parts = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(' ', '') ?? '')
  if (!parts || (parts[1] === '' && parts[2] === '')) return 'whole'
  if (parts[1] === '') {
    const last = Number(parts[2])
    return last === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - last), end: size - 1 }
  }
  const start = Number(parts[1])
  const end = parts[2] === '' ? size - 1 : Math.min(Number(parts[2]), size - 1)
  if (parts[2] !== '' && Number(parts[2]) < start) return 'whole'
  return start >= size ? 'unsatisfiable' : { start, end }
}
