export interface Validators {
  /** Quoted and strong. */
  etag: string
  /** Where there is none, conditions on it do not count. */
  lastModified?: Date
}

export interface Conditions {
  'if-match'?: string
  'if-none-match'?: string
  'if-modified-since'?: string
  'if-unmodified-since'?: string
  'if-range'?: string
}

/** In the order of RFC 9110, section 13.2.2. */
export function checkPreconditions(
  given: Conditions,
  { etag, lastModified }: Validators,
): 'go on' | 304 | 412 {
  const modified = lastModified && Math.floor(lastModified.getTime() / 1000)
  if (given['if-match'] !== undefined) {
    if (!lists(given['if-match'], etag, { weak: false })) return 412
  } else if (given['if-unmodified-since'] !== undefined) {
    const since = seconds(given['if-unmodified-since'])
    if (since !== undefined && modified !== undefined && modified > since) return 412
  }
  if (given['if-none-match'] !== undefined)
    return lists(given['if-none-match'], etag, { weak: true }) ? 304 : 'go on'
  const since = seconds(given['if-modified-since'])
  return since !== undefined && modified !== undefined && modified <= since ? 304 : 'go on'
}

/** Whether a range of what the client has a part of still fits it. */
export function rangeStillFits(given: Conditions, { etag, lastModified }: Validators): boolean {
  const condition = given['if-range']
  if (condition === undefined) return true
  if (condition.startsWith('"')) return condition === etag
  return lastModified !== undefined && seconds(condition) === Math.floor(lastModified.getTime() / 1000)
}

function lists(header: string, etag: string, { weak }: { weak: boolean }): boolean {
  if (header.trim() === '*') return true
  return header
    .split(',')
    .map((tag) => (weak ? tag.trim().replace(/^W\//, '') : tag.trim()))
    .includes(etag)
}

function seconds(date: string | undefined): number | undefined {
  const time = Date.parse(date ?? '')
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000)
}
