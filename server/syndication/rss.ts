import { millisecondsOf } from '../base/rfc3339.ts'
import type { Feed, Post } from '../feeds/index.ts'
import { isListed, isPrivate, pictureOf, type SizeUrl, titleOf } from './about-post.ts'
import { embedUrl, feedUrl } from './addresses.ts'
import { element } from './xml.ts'

export const RSS_TYPE = 'application/rss+xml; charset=utf-8'
const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl'
const LARGEST = { width: 1920, height: 1920 }
const SMALL = { width: 480, height: 480 }
/** Square and in this size: what directories of podcasts ask for. */
const COVER = 1400
const NAMESPACES = {
  'xmlns:atom': 'http://www.w3.org/2005/Atom',
  'xmlns:media': 'http://search.yahoo.com/mrss/',
  'xmlns:itunes': 'http://www.itunes.com/dtds/podcast-1.0.dtd',
  'xmlns:podcast': 'https://podcastindex.org/namespace/1.0',
}

export interface FeedContent {
  feed: Feed
  posts: Post[]
  baseUrl: string
  sizeUrl: SizeUrl
}

/** A public feed as RSS 2.0, with its pictures and videos as Media RSS has them. */
export function rssOf({ feed, posts: all, baseUrl, sizeUrl }: FeedContent): string {
  const posts = all.filter(isListed)
  const items = posts.map((post) => {
    // A reader has no token for it: what there is to see is on the page.
    if (isPrivate(post)) return item(post, baseUrl, [])
    const picture = pictureOf(post, LARGEST, { sizeUrl })!
    const shown = post.video
      ? element('media:content', {
          url: post.video.file.url,
          type: PLAYLIST_TYPE,
          medium: 'video',
          duration: Math.round(post.video.duration),
          width: post.video.width,
          height: post.video.height,
        })
      : element('media:content', { ...picture, type: 'image/jpeg', medium: 'image' })
    const thumbnail = element('media:thumbnail', { ...pictureOf(post, SMALL, { sizeUrl })! })
    return item(post, baseUrl, [shown, thumbnail])
  })
  return channel({ feed, posts, baseUrl }, 'rss', ['atom', 'media'], [], items)
}

interface MediaFile {
  url: string
  bytes: number
}

/** A video as one file, and its sound, if it has any, as another. */
export interface EpisodeFiles {
  film: MediaFile
  sound: MediaFile | undefined
}

/** The videos of a public feed as a podcast: each by its sound, with its pictures for those that show them. */
export function podcastOf(content: FeedContent, filesOf: (post: Post) => EpisodeFiles): string {
  const { feed, baseUrl, sizeUrl } = content
  // An episode without a file is none.
  const posts = content.posts.filter((post) => post.video && isListed(post) && !isPrivate(post))
  const items = posts.map((post) => {
    const { video } = post
    const { film, sound } = filesOf(post)
    const whole = { url: film.url, type: 'video/mp4', length: film.bytes }
    const streamed = { url: video!.file.url, type: PLAYLIST_TYPE, length: film.bytes }
    const enclosure = sound ? { url: sound.url, type: 'audio/x-m4a', length: sound.bytes } : whole
    return item(post, baseUrl, [
      element('enclosure', enclosure),
      ...(sound ? [alternate(whole, video!.height)] : []),
      alternate(streamed, video!.height),
      element('itunes:duration', {}, Math.round(video!.duration)),
      element('itunes:image', { href: cover(post, sizeUrl) }),
      element('itunes:episodeType', {}, 'full'),
      element('itunes:explicit', {}, 'false'),
    ])
  })
  const [newest] = posts
  const about = [
    element('itunes:author', {}, feed.name),
    ...(feed.description ? [element('itunes:summary', {}, feed.description)] : []),
    element('itunes:type', {}, 'episodic'),
    element('itunes:explicit', {}, 'false'),
    element('itunes:category', { text: 'TV & Film' }),
    ...(newest ? [element('itunes:image', { href: cover(newest, sizeUrl) })] : []),
  ]
  return channel({ feed, posts, baseUrl }, 'podcast', ['atom', 'itunes', 'podcast'], about, items)
}

function alternate(
  { url, type, length }: { url: string; type: string; length: number },
  height: number,
): string {
  const source = element('podcast:source', { uri: url })
  return `<podcast:alternateEnclosure type="${type}" length="${length}" height="${height}">${source}</podcast:alternateEnclosure>`
}

function cover({ video }: Post, sizeUrl: SizeUrl): string {
  return sizeUrl(`${video!.poster.file.url}?w=${COVER}&h=${COVER}&fit=cover&format=jpg`)
}

function item(post: Post, baseUrl: string, more: string[]): string {
  const fields = [
    element('title', {}, titleOf(post)),
    element('link', {}, embedUrl(baseUrl, post.feed_id, post.id)),
    element('guid', { isPermaLink: 'false' }, post.id),
    element('pubDate', {}, new Date(post.created_at).toUTCString()),
    // One that is blank is against the rules of those who check feeds.
    ...(post.description ? [element('description', {}, post.description)] : []),
    ...more,
  ]
  return `<item>\n${fields.join('\n')}\n</item>`
}

/** The newest post need not be the first: posts can be moved. */
function newest({ updated_at }: Feed, posts: Post[]): Date {
  const times = posts.map(({ created_at }) => millisecondsOf(created_at))
  return new Date(times.length > 0 ? Math.max(...times) : millisecondsOf(updated_at))
}

function channel(
  { feed, posts, baseUrl }: Omit<FeedContent, 'sizeUrl'>,
  kind: 'rss' | 'podcast',
  namespaces: string[],
  about: string[],
  items: string[],
): string {
  const used = Object.entries(NAMESPACES).filter(([name]) => namespaces.includes(name.slice('xmlns:'.length)))
  const self = { href: feedUrl(baseUrl, feed.id, kind), rel: 'self', type: 'application/rss+xml' }
  const fields = [
    element('title', {}, feed.name),
    element('link', {}, embedUrl(baseUrl, feed.id)),
    element('description', {}, feed.description || feed.name),
    element('language', {}, 'en'),
    element('generator', {}, 'Marquee'),
    element('lastBuildDate', {}, newest(feed, posts).toUTCString()),
    element('atom:link', self),
    ...about,
  ]
  const declared = used.map(([name, address]) => `${name}="${address}"`).join(' ')
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" ${declared}>
<channel>
${[...fields, ...items].join('\n')}
</channel>
</rss>
`
}
