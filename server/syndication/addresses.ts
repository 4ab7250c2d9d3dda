import type { FeedId, PostId } from '../base/ids.ts'

/** Where the page for an iframe is, of a post or of a feed. */
export function embedUrl(baseUrl: string, feedId: FeedId, postId?: PostId): string {
  return `${baseUrl}/embed/${feedId}${postId ? `/${postId}` : ''}`
}

export function oembedUrl(baseUrl: string, page: string): string {
  return `${baseUrl}/oembed?url=${encodeURIComponent(page)}`
}

export function feedUrl(baseUrl: string, feedId: FeedId, kind: 'rss' | 'podcast'): string {
  return `${baseUrl}/feeds/${feedId}/${kind}`
}
