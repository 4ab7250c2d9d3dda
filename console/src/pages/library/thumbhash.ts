import { thumbHashToAverageRGBA, thumbHashToDataURL } from 'thumbhash'

const MOST = 500
const made = new Map<string, string>()

/** The picture of some thirty bytes that stands for one until it is loaded. Those last used are kept. */
export function thumbhashUrl(hash: string): string | undefined {
  const known = made.get(hash)
  if (known) return known
  try {
    const url = thumbHashToDataURL(bytesOf(hash))
    if (made.size >= MOST) made.delete(made.keys().next().value!)
    made.set(hash, url)
    return url
  } catch {
    return undefined
  }
}

/** The colour of it, which takes no time to find out. */
export function thumbhashColor(hash: string): string | undefined {
  try {
    const { r, g, b, a } = thumbHashToAverageRGBA(bytesOf(hash))
    return `rgb(${[r, g, b].map((part) => Math.round(part * 255)).join(' ')} / ${a})`
  } catch {
    return undefined
  }
}

const bytesOf = (hash: string) => Uint8Array.from(atob(hash), (char) => char.charCodeAt(0))
