import type { Place } from './feed-posts.ts'

/** Where somebody was in a feed, and how far into its video. */
export interface KeptPlace extends Place {
  time: number
}

/** For pages that may not store anything: until the page is gone. */
const kept = new Map<string, string>()

const nameOf = (feed: string) => `marquee-feed ${feed}`

export function keepPlace(feed: string, place: KeptPlace): void {
  const text = JSON.stringify(place)
  try {
    sessionStorage.setItem(nameOf(feed), text)
  } catch {
    kept.set(feed, text)
  }
}

export function findPlace(feed: string): KeptPlace | undefined {
  try {
    const text = sessionStorage.getItem(nameOf(feed)) ?? kept.get(feed)
    return text ? JSON.parse(text) : undefined
  } catch {
    const text = kept.get(feed)
    return text ? JSON.parse(text) : undefined
  }
}

export function forgetPlace(feed: string): void {
  kept.delete(feed)
  try {
    sessionStorage.removeItem(nameOf(feed))
  } catch {}
}
