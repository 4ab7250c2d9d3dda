import { thumbHashToDataURL } from 'thumbhash'

const MOST = 500
const made = new Map<string, string>()

/** The picture of some thirty bytes that stands for one until it is loaded. Those last used are kept. */
export function thumbhashUrl(hash: string): string | undefined {
  const known = made.get(hash)
  if (known) return known
  try {
    const url = thumbHashToDataURL(Uint8Array.from(atob(hash), (char) => char.charCodeAt(0)))
    if (made.size >= MOST) made.delete(made.keys().next().value!)
    made.set(hash, url)
    return url
  } catch {
    return undefined
  }
}
