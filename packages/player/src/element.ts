import { preloadControls, runControls } from './controls.ts'
import { onDoubleClick } from './double-click.ts'
import { adopt, Base, followVisibility, SERVICE, trusted } from './host.ts'
import { handleKey } from './keyboard.ts'
import { type Labels, MESSAGES } from './labels.ts'
import { SettingsMenu } from './menu.ts'
import { showPlaceholder } from './placeholder.ts'
import { PLAYABLE, Player } from './player.ts'
import { findSource, Refusal, type Source } from './source.ts'
import { TEMPLATE } from './template.ts'
import { chapterOf, type TrackerLike, Tracking } from './tracking.ts'

const NAMES = ['video', 'post', 'src', 'key', 'token', 'url']
const LOOKS = ['poster', 'thumbhash', 'heading']

export class MarqueePlayer extends Base {
  static observedAttributes: string[] = [...NAMES, ...LOOKS, 'muted', 'loop', 'captions']

  readonly #root: ShadowRoot
  readonly #player: Player
  readonly #menu: SettingsMenu
  readonly #tracking: Tracking
  #labels: Labels = {}
  #source: Source | undefined
  /** Ends what is under way for another source. */
  #work = new AbortController()
  #isNear = false
  /** Whether the video is wanted, not only what is seen before it plays. */
  #isEager = false
  #controls: Promise<void> | undefined
  #hasControls = false
  #isPlayedByItself = false
  /** Of what is heard while it is in a page. */
  #life = new AbortController()

  constructor() {
    super()
    this.#root = this.attachShadow({ mode: 'open' })
    this.#root.innerHTML = trusted(TEMPLATE)
    this.#player = new Player(this.#find('video'))
    this.#tracking = new Tracking(this.#player)
    this.#menu = new SettingsMenu(
      this.#find('[part=menu]'),
      this.#find('[part=settings]'),
      this.#player,
      this.#t,
    )
    this.#menu.onToggle = (isOpen) =>
      this.#find('media-controller').setAttribute('autohide', isOpen ? '-1' : '2')
    this.#name()
    this.#listen()
  }

  /** The element that plays, with all that browsers offer of it. */
  get media(): HTMLVideoElement {
    return this.#player.video
  }

  /** Rungs, sounds and subtitles, and what is chosen of them. */
  get player(): Player {
    return this.#player
  }

  get labels(): Labels {
    return this.#labels
  }

  set labels(labels: Labels) {
    this.#labels = labels
    this.#name()
    if (this.#hasControls) runControls(this.#root, () => labels)
  }

  get tracker(): TrackerLike | undefined {
    return this.#tracking.tracker
  }

  set tracker(tracker: TrackerLike | undefined) {
    this.#tracking.tracker = tracker
  }

  play(): void {
    this.toggleAttribute('waiting', this.media.readyState < PLAYABLE)
    this.#approach(true)
    this.#player.play()
  }

  pause(): void {
    this.#player.pause()
  }

  connectedCallback(): void {
    for (const name of ['labels', 'tracker'] as const) adopt(this, name)
    this.#life = new AbortController()
    const near = () => this.#approach(this.getAttribute('preload') !== 'none')
    followVisibility(this, { near, seen: (isSeen) => this.#see(isSeen) }, this.#life.signal)
  }

  disconnectedCallback(): void {
    this.#life.abort()
    // An element that is only moved is back by then.
    queueMicrotask(() => this.isConnected || this.#forget())
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now) return
    if (name === 'muted' || name === 'loop') this.media[name] = now !== null
    else if (name === 'captions') this.#player.preferCaptions(now ?? '')
    else if (LOOKS.includes(name)) this.#look()
    else if (this.#isNear && this.isConnected) queueMicrotask(() => this.#load())
  }

  /** About to be seen, or played: now the scripts are loaded, and the first of the video. */
  #approach(isEager: boolean): void {
    this.#isEager ||= isEager
    if (isEager) this.#player.warmUp()
    if (this.#isNear) this.#prepare()
    else {
      this.#isNear = true
      if (!this.hasAttribute('nocontrols')) preloadControls()
      this.#load()
    }
  }

  /** Once there is something to control. Should their script not come, it is tried again when it is played on. */
  #runControls(): Promise<void> {
    this.#controls ??= runControls(this.#root, () => this.#labels).then(
      () => {
        this.#hasControls = true
      },
      () => {
        this.#controls = undefined
      },
    )
    return this.#controls
  }

  async #load(): Promise<void> {
    this.#work.abort()
    this.#work = new AbortController()
    const { signal } = this.#work
    this.#isNear = true
    this.#fail()
    try {
      const named = Object.fromEntries(NAMES.map((name) => [name, this.getAttribute(name)]))
      const source = await findSource({ ...named, url: named.url ?? SERVICE }, signal)
      if (signal.aborted || !source) return
      this.#source = source
      this.#look()
      this.#tracking.follow(source)
      this.#prepare()
    } catch (error) {
      if (signal.aborted) return
      const isRefused = error instanceof Refusal && error.status < 500
      this.#fail(isRefused ? 'unavailable' : 'network', error)
    }
  }

  /** Seconds at which it begins. */
  get #start(): number {
    return Number(this.getAttribute('start')) || 0
  }

  #prepare(): void {
    if (!this.#isEager || !this.#source || this.#player.source === this.#source) return
    this.#player.load(this.#source, { at: this.#start })
    this.#player.preferCaptions(this.getAttribute('captions') ?? '')
  }

  /** What is seen before anything plays: a thumbhash, then the poster. */
  #look(): void {
    const heading = this.#find('[part=heading]')
    heading.textContent = this.getAttribute('heading')
    heading.hidden = !heading.textContent
    showPlaceholder(this.#find('[part=poster]'), {
      thumbhash: this.getAttribute('thumbhash') ?? this.#source?.thumbhash,
      // Only what is about to be seen is loaded.
      poster: this.#isNear ? (this.getAttribute('poster') ?? this.#source?.poster) : undefined,
      width: this.clientWidth,
    })
  }

  #see(isSeen: boolean): void {
    const { video } = this.#player
    if (!this.hasAttribute('autoplay')) return
    if (isSeen && video.paused && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.#isPlayedByItself = true
      this.play()
    } else if (!isSeen && this.#isPlayedByItself && !video.paused) this.pause()
  }

  #listen(): void {
    const { video } = this.#player
    const click = (name: string) => this.#find(`media-${name}-button`).click()
    const press = (name: string) =>
      this.#hasControls ? click(name) : this.#runControls().then(() => click(name))
    // From then on the controls take clicks on the picture.
    video.addEventListener('click', () => this.#hasControls || this.hasAttribute('nocontrols') || this.play())
    this.#find('[part=play]').onclick = () => {
      this.play()
      // The button goes; keys are for the player from then on.
      video.focus({ preventScroll: true })
    }
    this.#find('[part=retry]').onclick = () => {
      this.play()
      if (this.#source) this.#player.retry()
      else this.#load()
    }
    this.addEventListener('keydown', (event) => {
      const target = event.composedPath()[0] as HTMLElement
      // Sliders and buttons have keys of their own, but none with others.
      const isOwn = target.matches('input') ? /^(Arrow|Home|End)/ : target === video ? /^$/ : /^[ ]$/
      const isAlone = !event.ctrlKey && !event.altKey
      if (event.defaultPrevented || (isAlone && isOwn.test(event.key) && target !== this)) return
      if (handleKey(event, this.#player, press)) event.preventDefault()
    })
    onDoubleClick(this, () => press('fullscreen'))
    const start = () => {
      this.toggleAttribute('started', true)
      if (!this.hasAttribute('nocontrols')) this.#runControls()
    }
    video.addEventListener('playing', () => {
      this.toggleAttribute('waiting', false)
      // The poster goes once there is a picture instead of it; drawing the controls may wait for that, too.
      if (video.videoWidth > 0 && video.requestVideoFrameCallback)
        video.requestVideoFrameCallback(() => setTimeout(start))
      else start()
    })
    video.addEventListener('seeked', () => {
      this.toggleAttribute('waiting', false)
      // Going to where it is to begin is nobody's wish to see it yet.
      if (Math.abs(video.currentTime - this.#start) > 0.5) start()
    })
    for (const name of ['waiting', 'seeking'])
      video.addEventListener(name, () => this.toggleAttribute('waiting', true))
    for (const name of ['pause', 'canplay'])
      video.addEventListener(name, () => video.paused && this.toggleAttribute('waiting', false))
    video.addEventListener('timeupdate', () => {
      this.#find('[part=chapter] span').textContent = chapterOf(this.#player) ?? ''
    })
    this.#player.addEventListener('change', () => this.#update())
    this.#player.addEventListener('refused', () => this.#refused())
  }

  /** A page that nobody has touched may play only what makes no noise. */
  #refused(): void {
    this.toggleAttribute('waiting', false)
    if (!this.#isPlayedByItself || this.media.muted) return
    this.media.muted = true
    this.#player.play()
  }

  #update(): void {
    const { status, trouble } = this.#player.state
    this.#fail(status === 'failed' ? trouble : undefined)
    const isLost = status === 'recovering' && trouble !== undefined
    this.#find('[part=note]').textContent = isLost ? this.#t('Reconnecting…') : ''
    this.#menu.update()
    this.dispatchEvent(new Event('statechange'))
  }

  #fail(trouble?: keyof typeof MESSAGES, error?: unknown): void {
    const panel = this.#find('[part=error]')
    panel.hidden = !trouble
    this.toggleAttribute('failed', trouble !== undefined)
    if (!trouble) return
    this.toggleAttribute('waiting', false)
    const { message, requestId }: Partial<Refusal> = error instanceof Refusal ? error : {}
    panel.querySelector('p')!.textContent = this.#t(MESSAGES[trouble])
    panel.querySelector('small')!.textContent = [message, requestId].filter(Boolean).join(' · ')
    this.dispatchEvent(new CustomEvent('fail', { detail: { trouble, error } }))
  }

  #forget(): void {
    this.#work.abort()
    this.#tracking.follow(undefined)
    this.#player.close()
    this.#source = undefined
    this.#isNear = false
    this.#isEager = false
    this.removeAttribute('started')
  }

  readonly #t = (text: string): string => this.#labels[text] ?? text

  #name(): void {
    this.#find('[part=play]').ariaLabel = this.#t('Play')
    this.#find('[part=settings]').ariaLabel = this.#t('Settings')
    this.#find('[part=retry]').textContent = this.#t('Try again')
  }

  #find<Found extends HTMLElement = HTMLElement>(selector: string): Found {
    return this.#root.querySelector<Found>(selector)!
  }
}
