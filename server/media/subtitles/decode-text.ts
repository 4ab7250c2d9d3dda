/** Text of a file that does not say how it is encoded, with `\n` as its only line end. */
export function decodeText(bytes: Buffer): string {
  return (
    decode(bytes)
      // `\r\r\n` comes from files that were converted twice; it would read as a blank line after every line.
      .replace(/\r\r?\n|\r/g, '\n')
      .replaceAll('\0', '\ufffd')
  )
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return as('utf-8', bytes)
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return as('utf-16le', bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return as('utf-16be', bytes)
  const wide = unmarkedUtf16(bytes)
  if (wide) return as(wide, bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return as('windows-1252', bytes)
  }
}

function as(encoding: string, bytes: Buffer): string {
  return new TextDecoder(encoding).decode(bytes)
}

const LOOK_AT_BYTES = 4096

/**
 * Times are plain digits in every language, so one byte in two is zero for a good part of the file.
 * Some zeros are on the other side as well: `一`, the commonest of Chinese characters, is U+4E00.
 */
function unmarkedUtf16(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const units = Math.min(bytes.length, LOOK_AT_BYTES) >> 1
  let first = 0
  let second = 0
  for (let unit = 0; unit < units; unit++) {
    if (bytes[unit * 2] === 0) first++
    if (bytes[unit * 2 + 1] === 0) second++
  }
  if (second * 8 > units && second > first * 2) return 'utf-16le'
  if (first * 8 > units && first > second * 2) return 'utf-16be'
  return undefined
}
