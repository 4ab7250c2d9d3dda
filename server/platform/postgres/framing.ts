/** The first byte of each message that a server sends. */
const CODES = new Set(Buffer.from('123ACDEGHIKNRSTVWZcdnstv'))
/** More than any message is long: a value has a gigabyte at most, and ours are far below. */
const LONGEST = 2 ** 28
const HEADER = 5

/**
 * Whether what comes from a server is what PostgreSQL speaks. The driver takes four bytes of anything for the length of a
 * message, and waits for so many more, and its caller with it.
 */
export function checkFraming(): (chunk: Buffer) => boolean {
  /** Of the message that has come in part. */
  let missing = 0
  let begun = Buffer.alloc(0)

  return (chunk) => {
    const bytes = begun.length > 0 ? Buffer.concat([begun, chunk]) : chunk
    let at = missing
    while (at + HEADER <= bytes.length) {
      const length = bytes.readUInt32BE(at + 1)
      if (!CODES.has(bytes[at]!) || length < 4 || length > LONGEST) return false
      at += 1 + length
    }
    missing = Math.max(0, at - bytes.length)
    begun = at < bytes.length ? Buffer.from(bytes.subarray(at)) : Buffer.alloc(0)
    return true
  }
}
