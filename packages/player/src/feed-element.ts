import { handleFeedKey } from './feed-keyboard.ts'
import { VideoPool } from './feed-pool.ts'
import type { Post, ReadPage, ReadToken } from './feed-reader.ts'
import { FeedSession } from './feed-session.ts'
import { FeedView } from './feed-view.ts'
import {
  adopt,
  Base,
  followVisibility,
  type Labels,
  type Player,
  SERVICE,
  type TrackerLike,
  type Trouble,
} from './index.ts'

/** A vertical feed: one post on the screen, the next two being loaded. */
export class MarqueeFeed extends Base {
  static observedAttributes: string[] = ['feed', 'key', 'url']

  /** Set before it is seen, reads the posts in the page's own way, such as with the token of somebody who is signed in. */
  declare readPage: ReadPage | undefined

  /** Set before it is seen, finds the token of each post whose media is private, in place of the attribute `token`. */
  declare readToken: ReadToken | undefined

  readonly #view: FeedView
  readonly #pool: VideoPool
  #session: FeedSession | undefined
  /** Of what is heard while it is in a page. */
  #life = new AbortController()
  #labels: Labels = {}
  #tracker: TrackerLike | undefined
  /** The post that was told of last. */
  #told: string | undefined
  #isMuted = true
  #isNear = false
  #isSeen = false
  /** Whether the post that is seen is to play: its viewer decides. */
  #isPlaying = true

  constructor() {
    super()
    this.#view = new FeedView(this.attachShadow({ mode: 'open' }), this.#t, {
      move: (index) => this.#session?.move(index) && this.#render(),
      rest: () => this.#rest(),
      step: (by) => this.#step(by),
      toggle: () => this.#toggle(),
      mute: () => (this.muted = !this.muted),
      retry: () => this.#session?.loading.retry(),
      retryPost: (post) => this.#pool.playerOf(post)?.retry(),
      failImage: (post) => this.#fail(post, 'network'),
    })
    this.#pool = new VideoPool((event, player, post) => this.#hear(event, player, post))
    this.muted = true
  }

  /** The post that is seen. */
  get post(): Post | undefined {
    return this.#session?.post
  }

  get muted(): boolean {
    return this.#isMuted
  }

  set muted(isMuted: boolean) {
    this.#isMuted = isMuted
    this.#pool.muted = isMuted
    this.#view.showState({ isMuted })
  }

  get labels(): Labels {
    return this.#labels
  }

  set labels(labels: Labels) {
    this.#labels = labels
    this.#view.translate()
  }

  get tracker(): TrackerLike | undefined {
    return this.#tracker
  }

  set tracker(tracker: TrackerLike | undefined) {
    this.#tracker = tracker
    this.#pool.tracker = tracker
  }

  next(): void {
    this.#step(1)
  }

  previous(): void {
    this.#step(-1)
  }

  connectedCallback(): void {
    for (const name of ['labels', 'tracker', 'muted'] as const) adopt<MarqueeFeed>(this, name)
    this.#life = new AbortController()
    const { signal } = this.#life
    const near = () => this.#approach()
    followVisibility(this, { near, seen: (isSeen) => this.#see(isSeen) }, signal)
    this.#view.follow(signal)
    document.addEventListener('keydown', (event) => this.#key(event), { signal })
    document.addEventListener('visibilitychange', () => this.#see(this.#isSeen), { signal })
    addEventListener('pagehide', () => this.#keepPlace(), { signal })
    addEventListener('online', () => this.#retry(), { signal })
  }

  disconnectedCallback(): void {
    this.#keepPlace()
    this.#life.abort()
    // An element that is only moved is back by then.
    queueMicrotask(() => {
      if (this.isConnected) return
      this.#close()
      this.#isNear = false
      this.#isSeen = false
    })
  }

  attributeChangedCallback(_: string, before: string | null, now: string | null): void {
    if (before !== now && this.#isNear) queueMicrotask(() => this.isConnected && this.#begin())
  }

  #approach(): void {
    if (this.#isNear) return
    this.#isNear = true
    this.#begin()
  }

  get #isResumed(): boolean {
    return this.getAttribute('resume') !== 'none'
  }

  /** From where somebody was, or from the beginning. */
  #begin(isResumed = this.#isResumed): void {
    this.#close()
    const [url, feed, key] = ['url', 'feed', 'key'].map((name) => this.getAttribute(name))
    if (!feed) return
    const session = new FeedSession(
      {
        url: url ?? SERVICE,
        feed,
        key: key ?? null,
        readPage: this.readPage,
        readToken: (post, signal) => (this.readToken ?? (() => this.getAttribute('token')))(post, signal),
      },
      isResumed,
      () => this.#jump(session.index),
      () => this.#changed(),
    )
    this.#session = session
    this.#render()
  }

  #changed(): void {
    const { error, isRefused } = this.#session!.loading
    const trouble: Trouble = isRefused ? 'unavailable' : 'network'
    if (error) this.dispatchEvent(new CustomEvent('fail', { detail: { trouble, error } }))
    this.#render()
  }

  #step(by: 1 | -1): void {
    const session = this.#session
    if (!session) return
    const isIn = (index: number) => index >= session.posts.first && index <= session.last
    this.#view.step(by, session.index, isIn)
  }

  #jump(index: number): void {
    const session = this.#session!
    session.index = index
    this.#view.renumber(index, session.posts.first)
    this.#render()
    this.#view.jump(index)
  }

  #home(): void {
    const { posts, index } = this.#session ?? {}
    if (!posts || index === posts.first) return
    if (posts.isWhole && posts.at(posts.first)) this.#jump(posts.first)
    else this.#begin(false)
  }

  #rest(): void {
    const session = this.#session
    if (!session || !this.#view.renumber(session.index, session.posts.first)) return
    this.#render()
    this.#view.jump(session.index)
  }

  /** Brings what is in the document, and who plays, into line with where the viewer is. */
  #render(): void {
    const session = this.#session
    if (!session) return
    const { posts, index, loading, startTime } = session
    this.#view.showPosts(posts, index, loading)
    const coming = [0, 1, 2].map((by) => posts.at(index + by)).filter((post) => post !== undefined)
    this.#pool.arrange(coming, (post) => this.#view.has(post), startTime)
    this.#view.placeVideos((post) => this.#pool.playerOf(post)?.video)
    this.#tell()
    this.#sync()
    session.readAround()
  }

  #tell(): void {
    const session = this.#session!
    const { post } = session
    if (!post || post.id === this.#told) return
    this.#told = post.id
    session.startTime = 0
    this.#isPlaying = !matchMedia('(prefers-reduced-motion: reduce)').matches
    this.#view.focusCurrent()
    this.#keepPlace()
    const detail = { post, index: session.index - session.posts.first }
    this.dispatchEvent(new CustomEvent('postchange', { detail }))
  }

  /** The one place that decides who plays. */
  #sync(): void {
    this.#pool.play(this.post, this.#isPlaying && this.#isSeen && !document.hidden)
    this.#update()
  }

  #update(): void {
    const { post } = this
    const player = this.#pool.playerOf(post)
    const { status, trouble } = player?.state ?? {}
    const isVideo = post?.video !== undefined
    const isStalled = player ? player.video.readyState < 3 : !post
    const isLoading = status !== 'failed' && !(this.#session?.loading.error && !post)
    this.#view.showState({
      isVideo,
      isPaused: isVideo && !this.#isPlaying,
      isWaiting: isStalled && isLoading && this.#isPlaying,
      note: status === 'recovering' && trouble ? 'Reconnecting…' : '',
    })
    if (player) this.#view.showProgress(player.video)
  }

  #hear(event: Event, player: Player, post: Post): void {
    const { status, trouble } = player.state
    if (event.type === 'loadeddata') this.#view.start(post)
    if (event.type === 'change') this.#fail(post, status === 'failed' ? trouble : undefined)
    if (post.id !== this.post?.id) return
    if (event.type === 'refused') this.#refused()
    else if (event.type === 'loadeddata') this.#sync()
    else this.#update()
  }

  /** A page that nobody has touched may play only what makes no noise, and in some browsers not even that. */
  #refused(): void {
    if (this.#isMuted) this.#isPlaying = false
    else this.muted = true
    this.#sync()
  }

  async #fail(post: Post, trouble: Trouble | undefined): Promise<void> {
    this.#view.fail(post, trouble)
    const mayBeGone = trouble === 'unavailable' || (trouble && !post.video)
    if (mayBeGone && (await this.#session?.leaveOutIfGone(post))) this.#render()
  }

  /** When the network is back. */
  #retry(): void {
    const player = this.#pool.playerOf(this.post)
    if (player?.state.status === 'failed' && player.state.trouble === 'network') player.retry()
    this.#view.reloadImages()
  }

  #toggle(): void {
    if (!this.post?.video) return
    this.#isPlaying = !this.#isPlaying
    this.#sync()
  }

  #see(isSeen: boolean): void {
    this.#isSeen = isSeen
    if (document.hidden) this.#keepPlace()
    this.#sync()
  }

  #key(event: KeyboardEvent): void {
    if (!this.#isSeen) return
    handleFeedKey(event, this, {
      next: () => this.#step(1),
      previous: () => this.#step(-1),
      home: () => this.#home(),
      toggle: () => this.#toggle(),
      mute: () => (this.muted = !this.muted),
    })
  }

  #keepPlace(): void {
    if (this.#isResumed) this.#session?.keepPlace(this.#pool.playerOf(this.post)?.video.currentTime ?? 0)
  }

  #close(): void {
    this.#session?.close()
    this.#session = undefined
    this.#pool.close()
    this.#view.clear()
    this.#told = undefined
  }

  readonly #t = (text: string): string => this.#labels[text] ?? text
}
