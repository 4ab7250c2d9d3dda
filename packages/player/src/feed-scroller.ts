/** How far rows go before they are numbered anew: browsers end at some millions of pixels. */
const MOST_ROWS = 2000
/** How many rows are left above somebody who scrolls back, before there are more. */
const FEW_ROWS = 20
/** Without a scroll event for so long, scrolling is over. Not every browser tells it. */
const REST_MS = 120

/**
 * A scroll container in which every post has a screen of its own. It is as high as if all were in it, so that swipes,
 * wheels and momentum are the browser's own, whichever of them are.
 */
export class FeedScroller {
  readonly element: HTMLElement
  readonly #track: HTMLElement
  /** The index of the post in the first row. */
  #base = 0
  /** Where an animation of ours goes to. */
  #goal: number | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(element: HTMLElement, moved: (index: number) => void, rested: () => void) {
    this.element = element
    this.#track = element.querySelector<HTMLElement>('[part=track]')!
    element.addEventListener(
      'scroll',
      () => {
        moved(this.#base + Math.round(element.scrollTop / this.#height))
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => {
          this.#goal = undefined
          rested()
        }, REST_MS)
      },
      { passive: true },
    )
  }

  /** Not rounded, as `clientHeight` is: after a thousand rows that would be another post. */
  get #height(): number {
    return Number.parseFloat(getComputedStyle(this.element).height) || 1
  }

  get isMoving(): boolean {
    return this.#goal !== undefined
  }

  rowOf(index: number): number {
    return index - this.#base
  }

  /** How far it goes: behind the last one. */
  setEnd(end: number): void {
    this.#track.style.height = `${Math.max(1, end - this.#base) * 100}cqh`
  }

  /** To the next or the one before, as a swipe would. Whoever presses a key twice wants to go two posts. */
  step(by: 1 | -1, from: number, isIn: (index: number) => boolean): void {
    const goal = (this.#goal ?? from) + by
    // No farther than what is in the document: there is nothing to stop at.
    if (!isIn(goal) || Math.abs(goal - from) > 2) return
    this.#goal = goal
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'
    this.element.scrollTo({ top: this.rowOf(goal) * this.#height, behavior })
  }

  /** There at once, as after a change of size. */
  jump(index: number): void {
    this.#goal = undefined
    this.element.scrollTo({ top: this.rowOf(index) * this.#height, behavior: 'instant' })
  }

  /** Numbers rows anew where there are too many, or too few above; answers whether it did. */
  renumber(index: number, first: number): boolean {
    const row = this.rowOf(index)
    const isFine = this.#base >= first && row >= 0 && row <= MOST_ROWS
    if (isFine && (row > FEW_ROWS || this.#base === first)) return false
    this.#base = Math.max(first, index - MOST_ROWS / 2)
    return true
  }
}
