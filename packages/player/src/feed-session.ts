import { isRefusal, Loading } from './feed-loading.ts'
import { findPlace, forgetPlace, keepPlace } from './feed-place.ts'
import { FeedPosts } from './feed-posts.ts'
import { type FeedAddress, FeedReader, type Post } from './feed-reader.ts'

/** A feed that somebody looks at: its posts, which one is seen, and what is still to be read. */
export class FeedSession {
  readonly posts: FeedPosts<Post>
  readonly loading: Loading
  readonly #feed: string
  readonly #reader: FeedReader
  readonly #work: AbortController = new AbortController()
  /** Of the post that is seen. */
  index = 0
  /** Where the video of the first post begins. */
  startTime = 0

  /** `begun` is called once, when the first posts are there; `changed` whenever something came, or failed. */
  constructor(wanted: FeedAddress, isResumed: boolean, begun: () => void, changed: () => void) {
    this.#feed = wanted.feed
    this.#reader = new FeedReader(wanted, this.#work.signal)
    this.posts = new FeedPosts((cursor) => this.#reader.page(cursor))
    this.loading = new Loading(changed)
    this.loading.start(async () => {
      await this.#begin(isResumed)
      if (!this.#work.signal.aborted) begun()
    })
  }

  async #begin(isResumed: boolean): Promise<void> {
    const place = isResumed ? findPlace(this.#feed) : undefined
    try {
      this.index = await this.posts.begin(place)
    } catch (error) {
      if (!place || !isRefusal(error)) throw error
      // A place that the service does not know any more.
      forgetPlace(this.#feed)
      this.index = await this.posts.begin()
    }
    if (place && place.postId === this.post?.id) this.startTime = place.time
  }

  get post(): Post | undefined {
    return this.posts.at(this.index)
  }

  /** The last index that can be gone to; the one behind the last post where more are to come. */
  get last(): number {
    return this.posts.hasMore ? this.posts.end : this.posts.end - 1
  }

  /** Whether that is another post than before. */
  move(index: number): boolean {
    const to = Math.max(this.posts.first, Math.min(index, this.last))
    if (to === this.index) return false
    this.index = to
    this.posts.letGo(to)
    return true
  }

  readAround(): void {
    const work = this.posts.toRead(this.index)
    if (work) this.loading.start(work)
  }

  /**
   * What is not to be had may be of a post that was deleted. That is left out, and the next one takes its place;
   * answers whether it was.
   */
  async leaveOutIfGone(post: Post): Promise<boolean> {
    if (!(await this.#reader.isGone(post)) || this.#work.signal.aborted) return false
    this.posts.remove(post, this.index)
    if (this.index > this.last && this.last >= this.posts.first) this.index = this.last
    return true
  }

  /** For whoever comes back. */
  keepPlace(time: number): void {
    const place = this.post && this.posts.placeOf(this.post)
    if (place) keepPlace(this.#feed, { ...place, time })
  }

  close(): void {
    this.#work.abort()
    this.loading.close()
  }
}
