import type Hls from 'hls.js'
import type {
  ErrorData,
  FragmentLoaderConstructor,
  FragmentLoaderContext,
  Loader,
  LoaderContext,
} from 'hls.js'
import { AUTO, type Engine, type EngineOptions, type Report } from './engine.ts'

/** Seconds that are loaded before anybody plays: the first segment, or two. */
const PRELOAD_SECONDS = 2
const AHEAD_SECONDS = 30
/** How often it is tried again by itself before the viewer is asked; a network that comes back is tried at once. */
const ATTEMPTS = 8
const LONGEST_WAIT_MS = 8000
const MEDIA_RECOVERIES = 2

export class HlsEngine implements Engine {
  readonly #hls: Hls
  readonly #src: string
  /** Where playing begins, as hls.js has it: -1 where it may choose. */
  readonly #at: number
  readonly #report: Report
  readonly #video: HTMLVideoElement
  /** Whether something has failed since the last segment came. */
  #isLost = false
  #attempts = 0
  #mediaRecoveries = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  static #script: typeof Hls | undefined

  static async loadScript(): Promise<typeof Hls> {
    const { default: HlsJs } = await import('hls.js')
    HlsEngine.#script = HlsJs
    return HlsJs
  }

  static async open(video: HTMLVideoElement, options: EngineOptions): Promise<Engine> {
    if (!HlsEngine.#script) preloadPlaylist(options.src)
    const HlsJs = await HlsEngine.loadScript()
    return new HlsEngine(HlsJs, video, options)
  }

  private constructor(HlsJs: typeof Hls, video: HTMLVideoElement, { src, at, report }: EngineOptions) {
    this.#video = video
    this.#src = src
    this.#at = at || -1
    this.#report = report
    const hls = new HlsJs({
      startPosition: this.#at,
      maxBufferLength: PRELOAD_SECONDS,
      maxMaxBufferLength: PRELOAD_SECONDS,
      backBufferLength: 30,
      capLevelToPlayerSize: true,
      startFragPrefetch: true,
      fLoader: quietLoaderOf(HlsJs),
      fragLoadPolicy: {
        default: {
          // A segment that nobody has asked for before is made first.
          maxTimeToFirstByteMs: 30_000,
          maxLoadTimeMs: 120_000,
          timeoutRetry: { maxNumRetry: 2, retryDelayMs: 0, maxRetryDelayMs: 0 },
          errorRetry: { maxNumRetry: 4, retryDelayMs: 500, maxRetryDelayMs: LONGEST_WAIT_MS },
        },
      },
    })
    this.#hls = hls
    const { Events } = HlsJs
    const changed = () => report('ready')
    hls.on(Events.MANIFEST_PARSED, changed)
    hls.on(Events.LEVEL_SWITCHED, changed)
    hls.on(Events.AUDIO_TRACK_SWITCHED, changed)
    hls.on(Events.AUDIO_TRACKS_UPDATED, changed)
    hls.on(Events.FRAG_BUFFERED, () => this.#recovered())
    hls.on(Events.MEDIA_ATTACHED, () => {
      this.#offerAirPlay()
      // After hls.js, which then knows the segment that it came to.
      video.addEventListener('seeked', this.#leaveOtherRungs)
    })
    hls.on(Events.ERROR, (_, data) => {
      if (data.fatal) this.#failed(data)
      // It waits by itself for a network that the browser says is away.
      else if (data.type === 'networkError' && !navigator.onLine) this.#lose()
    })
    globalThis.addEventListener('online', this.#comeBack)
    hls.loadSource(src)
    hls.attachMedia(video)
  }

  choices(): ReturnType<Engine['choices']> {
    const { levels, currentLevel, autoLevelEnabled, audioTracks, audioTrack } = this.#hls
    return {
      rungs: levels.map(({ width, height, bitrate }) => ({ width, height, bitrate })),
      rung: currentLevel,
      isAuto: autoLevelEnabled,
      audios: audioTracks.map(({ name, lang = '' }) => ({ label: name, language: lang })),
      audio: audioTrack,
    }
  }

  chooseRung(rung: number): void {
    // What is loaded is played out first: nothing stops for it.
    this.#hls.nextLevel = rung
  }

  /**
   * hls.js drops what is loaded of other rungs only where it expects to have the chosen one in time. Where all of a video is
   * loaded and it plays again from its beginning, the choice would come to nothing: a jump that ends in another rung drops it. Not
   * before the jump has ended: a frame that is taken away under it never comes to the screen.
   */
  readonly #leaveOtherRungs = (): void => {
    const { manualLevel, currentLevel } = this.#hls
    const isOther = currentLevel !== manualLevel && currentLevel !== -1
    if (isOther && manualLevel !== AUTO) this.#hls.currentLevel = manualLevel
  }

  chooseAudio(audio: number): void {
    this.#hls.audioTrack = audio
  }

  loadAhead(): void {
    Object.assign(this.#hls.config, { maxBufferLength: AHEAD_SECONDS, maxMaxBufferLength: 2 * AHEAD_SECONDS })
  }

  /** hls.js hears of it as well, and tells it as an error of its own. */
  mediaFailed(): void {}

  #failed({ type, details, response, level }: ErrorData): void {
    const status = response?.code ?? 0
    const isRefused = status >= 400 && status < 429
    if (type === 'mediaError' && this.#mediaRecoveries++ < MEDIA_RECOVERIES) {
      this.#lose()
      const { paused } = this.#video
      this.#hls.recoverMediaError()
      // The element begins anew by that, and stands still.
      if (!paused) this.#video.play().catch(() => {})
    } else if (type !== 'networkError') this.#report('failed', 'unplayable')
    else if (details.startsWith('manifest') && isRefused) this.#report('failed', 'unavailable')
    else if (!this.#hls.autoLevelEnabled && this.#hls.levels.length > 1) this.#leave(level)
    else this.#wait()
  }

  /** A rung that was chosen by hand and fails is left for one that the player chooses. */
  #leave(level = this.#hls.loadLevel): void {
    this.#hls.nextLevel = AUTO
    this.#hls.removeLevel(level)
    this.#hls.startLoad()
  }

  #wait(): void {
    const isHopeless = this.#attempts >= ATTEMPTS
    this.#lose()
    clearTimeout(this.#timer)
    const delay = Math.min(500 * 2 ** this.#attempts++, LONGEST_WAIT_MS)
    if (isHopeless) this.#report('failed', 'network')
    else this.#timer = setTimeout(this.#tryAgain, delay)
  }

  #lose(): void {
    this.#isLost = true
    this.#report('recovering', 'network')
  }

  readonly #comeBack = (): void => {
    if (this.#isLost) this.#tryAgain()
  }

  readonly #tryAgain = (): void => {
    clearTimeout(this.#timer)
    if (this.#hls.levels.length === 0) this.#hls.loadSource(this.#src)
    // Without a picture so far, it knows of no other place than the first.
    else this.#hls.startLoad(this.#video.readyState === 0 ? this.#at : -1)
  }

  #recovered(): void {
    if (!this.#isLost) return
    clearTimeout(this.#timer)
    this.#isLost = false
    this.#attempts = 0
    this.#report('ready')
  }

  /**
   * Safari sends to another screen only what has an address; its ManagedMediaSource wants the element to be
   * marked until it is open.
   */
  #offerAirPlay(): void {
    if (!('ManagedMediaSource' in globalThis) || !this.#video.disableRemotePlayback) return
    const source = document.createElement('source')
    Object.assign(source, { type: 'application/x-mpegURL', src: this.#src })
    this.#video.append(source)
    this.#video.disableRemotePlayback = false
  }

  close(): void {
    clearTimeout(this.#timer)
    globalThis.removeEventListener('online', this.#comeBack)
    this.#video.removeEventListener('seeked', this.#leaveOtherRungs)
    this.#hls.destroy()
  }
}

/**
 * hls.js 1.7 asks for a segment beside its init segment. When it asks for both again while the init segment is on its way, it
 * aborts the older request, takes that for the end of the newer ones, aborts those too, and stands still. Nothing waits for an
 * init segment that is aborted, so it does not hear of it.
 */
function quietLoaderOf(HlsJs: typeof Hls): FragmentLoaderConstructor {
  return class extends HlsJs.DefaultConfig.loader {
    override load(...request: Parameters<Loader<LoaderContext>['load']>): void {
      const [context, , callbacks] = request
      if ((context as FragmentLoaderContext).frag.sn === 'initSegment') delete callbacks.onAbort
      super.load(...request)
    }
  } as FragmentLoaderConstructor
}

/** Asks for a playlist while hls.js is still on its way; its request is answered by this one. */
function preloadPlaylist(src: string): void {
  const link = document.createElement('link')
  Object.assign(link, { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: src })
  link.onload = link.onerror = () => link.remove()
  document.head.append(link)
}
