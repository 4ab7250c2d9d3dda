import type { AnsweredPage } from './feed-posts.ts'
import { ask, type Source, toSource } from './index.ts'
import type { VideoAnswer } from './source.ts'

export interface Picture {
  visibility?: string
  file: { url: string }
  width: number
  height: number
  thumbhash: string
}

/** A post as the service answers it; more is in it than is named here. */
export interface Post {
  id: string
  feed_id: string
  creator_id: string
  description: string
  type: 'video' | 'image'
  image?: Picture
  video?: VideoAnswer & { poster?: Picture }
}

export type PostPage = AnsweredPage<Post>

/** How a page reads posts in its own way: the first ones without a cursor, the others by that of those before. */
export type ReadPage = (cursor: string | null, signal: AbortSignal) => Promise<PostPage>

/** How a page finds a token that opens the private video or image of a post. */
export type ReadToken = (
  post: Post,
  signal: AbortSignal,
) => string | null | undefined | Promise<string | null | undefined>

export interface FeedAddress {
  url: string
  feed: string
  key: string | null
  readPage: ReadPage | undefined
  readToken: ReadToken
}

const LIMIT = 20

/** Reads a feed: with a publishable key, as everybody may where it is public, or as the page does it. */
export class FeedReader {
  readonly #address: string
  readonly #init: RequestInit & { signal: AbortSignal }
  readonly #own: ReadPage | undefined
  readonly #readToken: ReadToken

  constructor({ url, feed, key, readPage, readToken }: FeedAddress, signal: AbortSignal) {
    this.#address = key ? `${url}/feeds/${feed}` : `${url}/posts/v1/feeds/${feed}`
    this.#init = { signal, ...(key && { headers: { 'x-api-key': key } }) }
    this.#own = readPage
    this.#readToken = readToken
  }

  async page(cursor: string | null): Promise<PostPage> {
    const page = await this.#read(cursor)
    return { ...page, data: await Promise.all(page.data.map((post) => this.#open(post))) }
  }

  #read(cursor: string | null): Promise<PostPage> {
    if (this.#own) return this.#own(cursor, this.#init.signal)
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    return ask<PostPage>(`${this.#address}?limit=${LIMIT}${after}`, this.#init)
  }

  /** A post of private media with a token behind its addresses; as it is where there is none to be had. */
  async #open(post: Post): Promise<Post> {
    const { image, video } = post
    if ((video ?? image)?.visibility !== 'private') return post
    try {
      const token = await this.#readToken(post, this.#init.signal)
      const open = <T extends Pick<Picture, 'file'>>(one: T | undefined) =>
        one && { ...one, file: { ...one.file, url: `${one.file.url}?token=${token}` } }
      return token
        ? { ...post, image: open(image), video: open(video && { ...video, poster: open(video.poster) }) }
        : post
    } catch {
      return post
    }
  }

  /** Whether a post is still there; nobody knows where that cannot be asked. */
  async isGone(post: Post): Promise<boolean> {
    if (this.#own) return false
    const response = await fetch(`${this.#address}/${post.id}`, this.#init).catch(() => undefined)
    return response?.status === 404
  }
}

/** What shows a post before its video plays, and all of one with an image. */
export const pictureOf = ({ image, video }: Post): Picture | undefined => image ?? video?.poster

/** Nobody looks for a place in a short video: it needs neither previews nor chapters. */
export function sourceOf(post: Post): Source | undefined {
  if (!post.video) return undefined
  const { storyboard: _, chapters: __, ...source } = toSource(post.video)
  return { ...source, feedId: post.feed_id, postId: post.id }
}
