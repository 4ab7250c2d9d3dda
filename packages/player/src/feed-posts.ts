/** A page as the service answers it. */
export interface AnsweredPage<Post> {
  data: Post[]
  pagination: { total?: number; next_cursor?: string }
}

/** A page of posts as it was read. */
interface Page<Post> {
  /** What it was asked for by; the first page of a feed has none. */
  cursor: string | null
  posts: Post[]
  next: string | null
}

/** What is kept of a page that was let go of: enough to read it again, and to count. */
type PassedPage = [cursor: string | null, count: number]

/** Where somebody is in a feed, small enough to be kept. */
export interface Place {
  passed: PassedPage[]
  cursor: string | null
  postId: string
}

/** The next page is asked for when so few posts are left, the one before when so few are behind. */
const NEAR = 8
/** What is farther away than this is let go of. */
const FAR = 30
/** So many pages are kept of a place: some thousand posts back. */
const PASSED_KEPT = 50
/** A page that was let go of may have grown; so many pages are read for it. */
const ROUNDS = 5

/**
 * The posts near the one that is seen. Pages that are far are let go of and read again when they come near, so
 * that it stays small however far somebody scrolls. A post keeps its index while nothing before it changes.
 */
export class FeedPosts<Post extends { id: string }> {
  readonly #read: (cursor: string | null) => Promise<AnsweredPage<Post>>
  #pages: Page<Post>[] = []
  #passed: PassedPage[] = []
  #passedCount = 0
  #start = 0
  #total = 0

  constructor(read: (cursor: string | null) => Promise<AnsweredPage<Post>>) {
    this.#read = read
  }

  /** The first index that can be gone to. */
  get first(): number {
    return this.#start - this.#passedCount
  }

  /** Whether the first one is the first of the feed. */
  get isWhole(): boolean {
    return (this.#passed[0]?.[0] ?? this.#pages[0]?.cursor ?? null) === null
  }

  /** Behind the last post that is here. */
  get end(): number {
    return this.#pages.reduce((sum, { posts }) => sum + posts.length, this.#start)
  }

  get hasMore(): boolean {
    return this.#pages.length === 0 || this.#pages.at(-1)!.next !== null
  }

  get total(): number {
    return this.#total
  }

  at(index: number): Post | undefined {
    let start = this.#start
    for (const { posts } of this.#pages) {
      if (index < start) return undefined
      if (index < start + posts.length) return posts[index - start]
      start += posts.length
    }
    return undefined
  }

  /** Reads the page of a place, or the first one; answers the index of the post to begin with. */
  async begin(place?: Place): Promise<number> {
    const page = await this.#page(place?.cursor ?? null)
    if (place && page.posts.length === 0) return this.begin()
    this.#pages = [page]
    this.#passed = place?.passed ?? []
    this.#passedCount = this.#passed.reduce((sum, [, count]) => sum + count, 0)
    this.#start = this.#passedCount
    const found = page.posts.findIndex(({ id }) => id === place?.postId)
    return this.#start + Math.max(0, found)
  }

  /** What has to be read for somebody who is at this index; undefined where all is here. */
  toRead(index: number): (() => Promise<void>) | undefined {
    if (this.#pages.length === 0) return undefined
    if (this.hasMore && index >= this.end - NEAR) return () => this.#readNext()
    if (this.#passed.length > 0 && index < this.#start + NEAR) return () => this.#readPrevious()
    return undefined
  }

  async #readNext(): Promise<void> {
    const last = this.#pages.at(-1)!
    const page = await this.#page(last.next)
    if (this.#pages.at(-1) === last) this.#pages.push(page)
  }

  /** Posts may have come and gone since: it is read up to the ones that are here. */
  async #readPrevious(): Promise<void> {
    const following = this.#pages[0]!
    const [cursor, count] = this.#passed.at(-1)!
    const isHere = ({ id }: Post) => this.#pages.some(({ posts }) => posts.some((post) => post.id === id))
    const posts: Post[] = []
    let from = cursor
    for (let round = 0; round < ROUNDS; round++) {
      const page = await this.#page(from)
      const known = page.posts.findIndex(isHere)
      posts.push(...page.posts.slice(0, known < 0 ? undefined : known))
      if (known >= 0 || page.next === null || page.next === following.cursor) break
      from = page.next
    }
    if (this.#pages[0] !== following) return
    this.#passed.pop()
    this.#passedCount -= count
    this.#start -= posts.length
    this.#pages.unshift({ cursor, posts, next: following.cursor })
  }

  async #page(cursor: string | null): Promise<Page<Post>> {
    const { data, pagination } = await this.#read(cursor)
    this.#total = pagination.total ?? 0
    return { cursor, posts: data, next: pagination.next_cursor ?? null }
  }

  /** Lets go of pages that are far from here. */
  letGo(index: number): void {
    const pages = this.#pages
    while (pages.length > 1 && this.#start + pages[0]!.posts.length < index - FAR) {
      const { cursor, posts } = pages.shift()!
      this.#passed.push([cursor, posts.length])
      this.#passedCount += posts.length
      this.#start += posts.length
    }
    while (pages.length > 1 && this.end - pages.at(-1)!.posts.length > index + FAR) pages.pop()
  }

  /** A post that is no more. Whoever is behind it keeps the index. */
  remove(post: Post, seen: number): void {
    let start = this.#start
    for (const page of this.#pages) {
      const found = page.posts.indexOf(post)
      if (found >= 0) {
        page.posts.splice(found, 1)
        if (start + found < seen) this.#start += 1
        return
      }
      start += page.posts.length
    }
  }

  placeOf(post: Post): Place | undefined {
    const found = this.#pages.findIndex(({ posts }) => posts.includes(post))
    if (found < 0) return undefined
    const before = this.#pages.slice(0, found).map(({ cursor, posts }): PassedPage => [cursor, posts.length])
    const passed = [...this.#passed, ...before].slice(-PASSED_KEPT)
    return { passed, cursor: this.#pages[found]!.cursor, postId: post.id }
  }
}
