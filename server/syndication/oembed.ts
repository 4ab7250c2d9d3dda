import type { CdnUrl } from '../base/cdn-url.ts'
import { forbidden, notFound, Refusal } from '../base/errors.ts'
import { type FeedId, isId, type PostId } from '../base/ids.ts'
import { type Post, readPublicPost } from '../feeds/index.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { fitInto, pictureOf, type SizeUrl, titleOf } from './about-post.ts'
import { embedUrl } from './addresses.ts'
import type { Oembed } from './schemas.ts'
import { attributesOf, element } from './xml.ts'

export interface OembedDeps {
  sql: Sql
  cdnUrl: CdnUrl
  baseUrl: string
  sizeUrl: SizeUrl
}

export interface OembedRequest {
  url: string
  maxwidth?: number
  maxheight?: number
  format?: string
}

/** Where a consumer does not say how much room there is. */
const USUAL_SIDE = 640
const CACHE_SECONDS = 3600
const OPTIONS = ['autoplay', 'muted', 'loop', 'start', 'captions', 'token']

/** What another site needs to show a post, by the address of its embedded page. */
export async function showOembed(
  { url, maxwidth = USUAL_SIDE, maxheight = USUAL_SIDE, format = 'json' }: OembedRequest,
  deps: OembedDeps,
): Promise<{ type: string; body: Buffer }> {
  if (format !== 'json' && format !== 'xml')
    throw new Refusal(501, { title: 'Not Implemented', details: 'format: json or xml' })
  const named = readAddress(url, deps.baseUrl)
  const found = named && (await readPublicPost(named, deps))
  if (!found) throw notFound('url: not that of an embedded page of this service')
  const answer = describe(found.post, { ...named!, largest: { width: maxwidth, height: maxheight } }, deps)
  return format === 'json'
    ? { type: 'application/json; charset=utf-8', body: Buffer.from(JSON.stringify(answer)) }
    : { type: 'text/xml; charset=utf-8', body: Buffer.from(asXml(answer)) }
}

/** The post that an address of ours is about, and the options in it that a player knows. */
function readAddress(
  text: string,
  baseUrl: string,
): { feedId: FeedId; postId: PostId; options: string } | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const base = new URL(baseUrl)
  const prefix = `${base.pathname.replace(/\/$/, '')}/embed/`
  if (url.host !== base.host || !url.pathname.startsWith(prefix)) return undefined
  const [feedId, postId, ...more] = url.pathname.slice(prefix.length).split('/')
  if (!isId('feed', feedId!) || !isId('post', postId ?? '') || more.length > 0) return undefined
  const options = new URLSearchParams([...url.searchParams].filter(([name]) => OPTIONS.includes(name)))
  return { feedId: feedId as FeedId, postId: postId as PostId, options: options.toString() }
}

function describe(
  post: Post,
  { options, largest }: { options: string; largest: { width: number; height: number } },
  { baseUrl, sizeUrl }: OembedDeps,
): Oembed {
  const token = new URLSearchParams(options).get('token') ?? undefined
  const small = { width: Math.min(480, largest.width), height: Math.min(480, largest.height) }
  const thumbnail = pictureOf(post, small, { sizeUrl, token })
  const common = {
    version: '1.0' as const,
    title: titleOf(post),
    ...(post.creator_id && { author_name: post.creator_id }),
    provider_name: 'Marquee',
    provider_url: baseUrl,
    cache_age: CACHE_SECONDS,
    ...(thumbnail && {
      thumbnail_url: thumbnail.url,
      thumbnail_width: thumbnail.width,
      thumbnail_height: thumbnail.height,
    }),
  }
  if (!post.video) {
    const picture = pictureOf(post, largest, { sizeUrl, token })
    if (!picture) throw forbidden('url: what this post shows is private, and its address needs a token')
    const { url, width, height } = picture
    return { ...common, type: 'photo', width, height, url }
  }
  const size = fitInto(post.video, largest)
  const src = `${embedUrl(baseUrl, post.feed_id, post.id)}${options && `?${options}`}`
  return { ...common, type: 'video', ...size, html: iframe(src, common.title, size) }
}

function iframe(src: string, title: string, size: { width: number; height: number }): string {
  const attributes = {
    src,
    ...size,
    title,
    style: 'border:0',
    allow: 'autoplay; fullscreen; picture-in-picture',
    loading: 'lazy',
  } as const
  return `<iframe${attributesOf(attributes)}></iframe>`
}

function asXml(answer: Oembed): string {
  const fields = Object.entries(answer).map(([name, value]) => element(name, {}, value))
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>\n${fields.join('\n')}\n</oembed>\n`
}
