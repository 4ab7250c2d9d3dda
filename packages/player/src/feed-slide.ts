import { type Post, pictureOf } from './feed-reader.ts'
import { SLIDE } from './feed-template.ts'
import { drawThumbhash, MESSAGES, posterFor, type Trouble, trusted } from './index.ts'

/** So much of a picture may be cut off for it to fill the screen. */
const MOST_CUT = 0.18

/** A post on the screen: its picture, the video once there is one, and its words. */
export class Slide {
  readonly post: Post
  readonly element: HTMLElement
  readonly #stage: HTMLElement
  readonly #image: HTMLImageElement
  #hasFailed = false
  /** Width to height of what is seen of the picture. */
  shownRatio = 0.5625
  onImageFail: () => void = () => {}
  onRetry: () => void = () => {}

  constructor(post: Post, t: (text: string) => string) {
    this.post = post
    const template = document.createElement('template')
    template.innerHTML = trusted(SLIDE)
    this.element = template.content.firstElementChild as HTMLElement
    this.#stage = this.#find('[part=stage]')
    this.#image = this.#find('img')
    this.#describe()
    this.translate(t)
    this.#find('[part=retry]').onclick = () => {
      this.fail()
      this.onRetry()
    }
  }

  translate(t: (text: string) => string): void {
    this.#find('[part=retry]').textContent = t('Try again')
    this.#find('[part=more]').textContent = t('More')
  }

  #describe(): void {
    const { id, creator_id: creator, description } = this.post
    const [caption, name, text] = ['[part=caption]', '[part=creator]', '[part=description]'].map((part) =>
      this.#find(part),
    )
    caption!.hidden = !creator && !description
    name!.textContent = creator
    name!.hidden = !creator
    text!.textContent = description
    text!.hidden = !description
    caption!.id = `caption-${id}`
    if (!caption!.hidden) this.element.setAttribute('aria-labelledby', caption!.id)
    const more = this.#find('[part=more]')
    more.onclick = () => {
      caption!.classList.add('open')
      more.hidden = true
    }
  }

  /** Puts it into its place, `row` screens below the top. */
  place(
    row: number,
    { index, total, isCurrent }: { index: number; total: number; isCurrent: boolean },
  ): void {
    const { element } = this
    element.style.top = `${row * 100}cqh`
    element.ariaPosInSet = String(index + 1)
    element.ariaSetSize = String(total > index ? total : -1)
    element.tabIndex = isCurrent ? 0 : -1
    element.classList.toggle('current', isCurrent)
    // Those of other posts are not on the screen.
    for (const button of element.querySelectorAll('button')) button.tabIndex = isCurrent ? 0 : -1
  }

  /** Sizes the picture for a screen of this size, and loads it if it is not there yet. */
  fit(width: number, height: number): void {
    const picture = pictureOf(this.post)
    const { video } = this.post
    const ratio = this.#ratio
    const screen = width / height || ratio
    const isFilled = 1 - Math.min(ratio / screen, screen / ratio) <= MOST_CUT
    this.element.style.setProperty('--_fit', isFilled ? 'cover' : 'contain')
    this.shownRatio = isFilled ? screen : ratio
    this.element.style.setProperty('--_ratio', String(this.shownRatio))
    const more = this.#find('[part=more]')
    const text = this.#find('[part=description]')
    more.hidden = text.scrollHeight <= text.clientHeight + 1
    if (!picture || this.#image.hasAttribute('src')) return
    drawThumbhash(this.#find('canvas'), picture.thumbhash)
    this.#image.setAttribute('part', video ? 'poster' : 'image')
    this.#image.alt = video ? '' : this.post.description
    this.#image.onload = () => this.#image.classList.add('ready')
    this.#image.onerror = () => {
      this.#hasFailed = true
      this.onImageFail()
    }
    this.#image.src = posterFor(picture.file.url, Math.min(width, Math.max(height * ratio, 1)))
  }

  /** Width to height of its picture. */
  get #ratio(): number {
    const { width, height } = this.post.video ?? this.post.image ?? { width: 9, height: 16 }
    return width / height || 9 / 16
  }

  /** Takes a video element in; it is seen from its first frame on. */
  hold(video: HTMLVideoElement): void {
    if (video.parentNode === this.#stage) return
    this.#image.after(video)
    this.element.classList.remove('started')
  }

  /** Its video is somebody else's now: the poster is seen again. */
  release(): void {
    this.element.classList.remove('started')
  }

  start(): void {
    this.element.classList.add('started')
  }

  fail(trouble?: Trouble, t: (text: string) => string = (text) => text): void {
    const panel = this.#find('[part=error]')
    panel.hidden = !trouble
    if (!trouble) return
    const isAbout = this.post.video || trouble === 'network'
    panel.querySelector('p')!.textContent = t(isAbout ? MESSAGES[trouble] : 'This post is not available.')
  }

  /** A picture that did not come is asked for once more. */
  reload(): void {
    if (!this.#hasFailed) return
    this.#hasFailed = false
    if (!this.post.video) this.fail()
    const { src } = this.#image
    this.#image.removeAttribute('src')
    this.#image.src = src
  }

  #find<Found extends HTMLElement = HTMLElement>(selector: string): Found {
    return this.element.querySelector<Found>(selector)!
  }
}
