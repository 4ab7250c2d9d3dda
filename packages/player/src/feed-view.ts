import type { Loading } from './feed-loading.ts'
import type { FeedPosts } from './feed-posts.ts'
import type { Post } from './feed-reader.ts'
import { FeedScroller } from './feed-scroller.ts'
import { Slide } from './feed-slide.ts'
import { FEED } from './feed-template.ts'
import { type Refusal, type Trouble, trusted } from './index.ts'

/** What a viewer does. */
interface Viewer {
  move(index: number): void
  rest(): void
  step(by: 1 | -1): void
  toggle(): void
  mute(): void
  retry(): void
  retryPost(post: Post): void
  failImage(post: Post): void
}

interface FeedState {
  isVideo: boolean
  isPaused: boolean
  isMuted: boolean
  isWaiting: boolean
  /** In English. */
  note: string
}

/** So many posts before and after the one that is seen are in the document. */
const AROUND = 2

/** All that is seen of a feed. */
export class FeedView {
  readonly #root: ShadowRoot
  readonly #t: (text: string) => string
  readonly #viewer: Viewer
  readonly #scroller: FeedScroller
  readonly #frame: HTMLElement
  /** A screen for a post that is not there yet. */
  readonly #pending: HTMLElement
  readonly #slides = new Map<string, Slide>()
  #index = 0
  #share = 0
  #state: FeedState = { isVideo: false, isPaused: false, isMuted: true, isWaiting: true, note: '' }

  constructor(root: ShadowRoot, t: (text: string) => string, viewer: Viewer) {
    this.#root = root
    this.#t = t
    this.#viewer = viewer
    root.innerHTML = trusted(FEED)
    this.#frame = this.#find('[part=frame]')
    this.#pending = this.#find('[part~=pending]')
    this.#scroller = new FeedScroller(this.#find('[part=scroller]'), viewer.move, viewer.rest)
    this.#listen()
    this.translate()
  }

  #listen(): void {
    const { step, toggle, mute, retry } = this.#viewer
    this.#find('[part=toggle]').onclick = toggle
    this.#find('[part=mute]').onclick = mute
    this.#find('[part=previous]').onclick = () => step(-1)
    this.#find('[part=next]').onclick = () => step(1)
    this.#pending.querySelector<HTMLElement>('[part=retry]')!.onclick = retry
    this.#scroller.element.onclick = (event) => {
      const isOwn = (one: EventTarget) =>
        one instanceof Element && one.matches('button,a,[part=actions],[part=error]')
      if (!event.composedPath().some(isOwn)) toggle()
    }
    const slot = this.#find<HTMLSlotElement>('slot[name=actions]')
    slot.onslotchange = () => this.#frame.classList.toggle('actions', slot.assignedNodes().length > 0)
  }

  /** Keeps the post on the screen whatever size that has, until the signal. */
  follow(signal: AbortSignal): void {
    const observer = new ResizeObserver(() => {
      this.#fit()
      if (!this.#scroller.isMoving) this.#scroller.jump(this.#index)
    })
    observer.observe(this.#scroller.element)
    signal.addEventListener('abort', () => observer.disconnect())
  }

  translate(): void {
    this.#find('[role=feed]').ariaLabel = this.#t('Posts')
    this.#find('[part=previous]').ariaLabel = this.#t('Previous post')
    this.#find('[part=next]').ariaLabel = this.#t('Next post')
    this.#nameButtons()
    this.#find('[part=empty] p').textContent = this.#t('There are no posts yet.')
    this.#pending.querySelector('[part=retry]')!.textContent = this.#t('Try again')
    this.#pending.ariaLabel = this.#t('Loading')
    for (const slide of this.#slides.values()) slide.translate(this.#t)
  }

  #nameButtons(): void {
    const { isPaused, isMuted } = this.#state
    this.#find('[part=toggle]').ariaLabel = this.#t(isPaused ? 'Play' : 'Pause')
    this.#find('[part=mute]').ariaLabel = this.#t(isMuted ? 'Unmute' : 'Mute')
  }

  showState(change: Partial<FeedState>): void {
    this.#state = { ...this.#state, ...change }
    const { isVideo, isPaused, isMuted, isWaiting, note } = this.#state
    const { classList } = this.#frame
    classList.toggle('video', isVideo)
    classList.toggle('paused', isPaused)
    classList.toggle('muted', isMuted)
    classList.toggle('waiting', isWaiting)
    this.#nameButtons()
    const status = this.#find('[part=note]')
    const text = note && this.#t(note)
    if (status.textContent !== text) status.textContent = text
  }

  showProgress({ currentTime, duration }: HTMLVideoElement): void {
    const share = duration > 0 ? Math.min(1, currentTime / duration) : 0
    const { style } = this.#find('[part=progress] div')
    // Back to the beginning it goes at once.
    style.transition = share < this.#share ? 'none' : ''
    style.transform = `scaleX(${share})`
    this.#share = share
  }

  /** Has the posts around an index in the document, and no others. */
  showPosts(posts: FeedPosts<Post>, index: number, { error, isRefused }: Loading): void {
    this.#index = index
    const end = posts.end + (posts.hasMore ? 1 : 0)
    const near = Array.from({ length: 2 * AROUND + 1 }, (_, i) => index - AROUND + i)
    const shown = near.flatMap((at) => posts.at(at) ?? [])
    for (const [id, { element }] of this.#slides)
      if (!shown.some((post) => post.id === id)) {
        element.remove()
        this.#slides.delete(id)
      }
    let following: HTMLElement = this.#pending
    for (const at of near.reverse()) {
      const post = posts.at(at)
      if (!post) continue
      const slide = this.#slides.get(post.id) ?? this.#add(post, following)
      const about = { index: at - posts.first, total: posts.total, isCurrent: at === index }
      slide.place(this.#scroller.rowOf(at), about)
      following = slide.element
    }
    this.#shapeOverlay()
    this.#showPending(posts.at(index) ? posts.end : index, posts, error, isRefused)
    this.#scroller.setEnd(end)
    this.#find('[role=feed]').ariaBusy = String(posts.at(index) === undefined)
    this.#find('[part=previous]').ariaDisabled = String(index <= posts.first)
    this.#find('[part=next]').ariaDisabled = String(index >= end - 1)
  }

  #showPending(at: number, posts: FeedPosts<Post>, error: unknown, isRefused: boolean): void {
    const isEmpty = posts.end === posts.first && !posts.hasMore
    this.#find('[part=empty]').hidden = !isEmpty
    this.#scroller.element.hidden = isEmpty
    this.#find('[part=steps]').hidden = posts.end === posts.first
    this.#pending.hidden = posts.at(at) !== undefined || (at === posts.end && !posts.hasMore)
    this.#pending.style.top = `${this.#scroller.rowOf(at) * 100}cqh`
    this.#pending.ariaPosInSet = String(at - posts.first + 1)
    const panel = this.#pending.querySelector<HTMLElement>('[part=error]')!
    panel.hidden = !error
    if (!error) return
    const { message = '', requestId } = error as Partial<Refusal>
    panel.querySelector('p')!.textContent = this.#t(
      isRefused ? 'This feed is not available.' : 'The connection was lost.',
    )
    panel.querySelector('small')!.textContent = isRefused
      ? [message, requestId].filter(Boolean).join(' · ')
      : ''
  }

  #add(post: Post, following: HTMLElement): Slide {
    const slide = new Slide(post, this.#t)
    slide.onRetry = () => (post.video ? this.#viewer.retryPost(post) : slide.reload())
    slide.onImageFail = () => post.video || this.#viewer.failImage(post)
    this.#slides.set(post.id, slide)
    following.before(slide.element)
    const { clientWidth, clientHeight } = this.#scroller.element
    slide.fit(clientWidth, clientHeight)
    return slide
  }

  #fit(): void {
    const { clientWidth, clientHeight } = this.#scroller.element
    for (const slide of this.#slides.values()) slide.fit(clientWidth, clientHeight)
    this.#shapeOverlay()
  }

  /** Controls are on the picture, whatever its shape. */
  #shapeOverlay(): void {
    for (const { element, shownRatio } of this.#slides.values())
      if (element.matches('.current')) this.#frame.style.setProperty('--_ratio', String(shownRatio))
  }

  has(post: Post): boolean {
    return this.#slides.has(post.id)
  }

  /** Puts each video into the slide of its post. */
  placeVideos(videoOf: (post: Post) => HTMLVideoElement | undefined): void {
    for (const slide of this.#slides.values()) {
      const video = videoOf(slide.post)
      if (video) slide.hold(video)
      else slide.release()
    }
  }

  start(post: Post): void {
    this.#slides.get(post.id)?.start()
  }

  fail(post: Post, trouble: Trouble | undefined): void {
    this.#slides.get(post.id)?.fail(trouble, this.#t)
  }

  reloadImages(): void {
    for (const slide of this.#slides.values()) slide.reload()
  }

  /** Whoever uses keys stays on the post that is seen. */
  focusCurrent(): void {
    if (this.#root.activeElement?.matches('[part~=slide]'))
      this.#root.querySelector<HTMLElement>('.current')?.focus({ preventScroll: true })
  }

  step(by: 1 | -1, from: number, isIn: (index: number) => boolean): void {
    this.#scroller.step(by, from, isIn)
  }

  jump(index: number): void {
    this.#scroller.jump(index)
  }

  renumber(index: number, first: number): boolean {
    return this.#scroller.renumber(index, first)
  }

  clear(): void {
    for (const { element } of this.#slides.values()) element.remove()
    this.#slides.clear()
  }

  #find<Found extends HTMLElement = HTMLElement>(selector: string): Found {
    return this.#root.querySelector<Found>(selector)!
  }
}
