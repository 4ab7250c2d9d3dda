import type Hls from 'hls.js'
import type {
  ErrorData,
  FragmentLoaderConstructor,
  FragmentLoaderContext,
  Loader,
  LoaderContext,
} from 'hls.js'
import { appendElement } from './append-element.ts'
import { AUTO, type Engine, type EngineOptions, mayBeginAnew } from './engine.ts'
import type { Trouble } from './player.ts'

/** Seconds that are loaded before anybody plays: the first segment, or two. */
const PRELOAD_SECONDS = 2
const AHEAD_SECONDS = 30
/** How often it is tried again by itself before the viewer is asked; a network that comes back is tried at once. */
const ATTEMPTS = 8
const LONGEST_WAIT_MS = 8000

export class HlsEngine implements Engine {
  readonly #hls: Hls
  readonly #options: EngineOptions
  readonly #video: HTMLVideoElement
  /** Whether something has failed since the last segment came. */
  #isLost = false
  #attempts = 0
  /** When it began anew after something that could not be decoded. */
  readonly #recoveries: number[] = []
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

  private constructor(HlsJs: typeof Hls, video: HTMLVideoElement, options: EngineOptions) {
    const { src, place, report } = options
    this.#video = video
    this.#options = options
    const hls = new HlsJs({
      // -1 is where hls.js chooses.
      startPosition: place() || -1,
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
    for (const name of [
      'MANIFEST_PARSED',
      'LEVEL_SWITCHED',
      'AUDIO_TRACK_SWITCHED',
      'AUDIO_TRACKS_UPDATED',
    ] as const)
      hls.on(Events[name], changed)
    hls.on(Events.FRAG_BUFFERED, () => this.#recovered())
    hls.on(Events.MEDIA_ATTACHED, () => {
      this.#offerAirPlay()
      // After hls.js, which then knows the segment that it came to.
      video.addEventListener('seeked', this.#leaveOtherRungs)
    })
    hls.on(Events.ERROR, (_, data) => {
      const { type, details, fatal } = data
      if (type === 'mediaError') {
        if (fatal) this.#beginAnew()
        else if (details === 'mediaSourceRequiresReset') this.#begunAnew()
      } else if (fatal) this.#failed(data)
      // It waits by itself for a network that the browser says is away.
      else if (type === 'networkError' && !navigator.onLine) this.#lose('network')
    })
    globalThis.addEventListener('online', this.#comeBack)
    hls.loadSource(src)
    hls.attachMedia(video)
  }

  choices(): ReturnType<Engine['choices']> {
    const { levels, currentLevel, autoLevelEnabled, audioTracks, audioTrack } = this.#hls
    return {
      rungs: levels.map(({ width, height, bitrate, frameRate }) => ({ width, height, bitrate, frameRate })),
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

  /** Where hls.js has heard of it first, there is a new beginning already. */
  mediaFailed(): void {
    if (this.#video.error) this.#beginAnew()
  }

  #beginAnew(): void {
    this.#hls.recoverMediaError()
    this.#begunAnew()
  }

  /** After something that could not be decoded. hls.js leaves the rung by itself, if there is another. */
  #begunAnew(): void {
    if (!mayBeginAnew(this.#recoveries)) {
      // What is still on its way must not count as recovered.
      this.#isLost = false
      this.#hls.detachMedia()
      this.#options.report('failed', 'unplayable')
      return
    }
    // What one name of a codec does not open may open by another.
    if (this.#recoveries.length > 1) this.#hls.swapAudioCodec()
    this.#lose()
    this.#hls.startLoad(this.#options.place())
    this.#options.resume()
  }

  #failed({ type, response, level }: ErrorData): void {
    const status = response?.code ?? 0
    const isRefused = status >= 400 && status < 429
    if (type !== 'networkError') this.#options.report('failed', 'unplayable')
    else if ((isRefused || !this.#hls.autoLevelEnabled) && this.#hls.levels.length > 1) this.#leave(level)
    // Nothing is left that is not refused: it was deleted, or it may not be seen any more.
    else if (isRefused) this.#options.report('failed', 'unavailable')
    else this.#wait()
  }

  /** A rung that was chosen by hand and fails, or that is refused, is left for one that the player chooses. */
  #leave(level = this.#hls.loadLevel): void {
    this.#hls.nextLevel = AUTO
    this.#hls.removeLevel(level)
    this.#hls.startLoad()
  }

  #wait(): void {
    const isHopeless = this.#attempts >= ATTEMPTS
    this.#lose('network')
    clearTimeout(this.#timer)
    const delay = Math.min(500 * 2 ** this.#attempts++, LONGEST_WAIT_MS)
    if (isHopeless) this.#options.report('failed', 'network')
    else this.#timer = setTimeout(this.#tryAgain, delay)
  }

  #lose(trouble?: Trouble): void {
    this.#isLost = true
    this.#options.report('recovering', trouble)
  }

  readonly #comeBack = (): void => {
    if (this.#isLost) this.#tryAgain()
  }

  readonly #tryAgain = (): void => {
    clearTimeout(this.#timer)
    if (this.#hls.levels.length === 0) this.#hls.loadSource(this.#options.src)
    // Without a picture so far, it knows of no other place than the first.
    else this.#hls.startLoad(this.#video.readyState === 0 ? this.#options.place() || -1 : -1)
  }

  #recovered(): void {
    if (!this.#isLost) return
    clearTimeout(this.#timer)
    this.#isLost = false
    this.#attempts = 0
    this.#options.report('ready')
  }

  /**
   * Safari sends to another screen only what has an address; its ManagedMediaSource wants the element to be
   * marked until it is open.
   */
  #offerAirPlay(): void {
    if (!('ManagedMediaSource' in globalThis) || !this.#video.disableRemotePlayback) return
    appendElement(this.#video, 'source', { type: 'application/x-mpegURL', src: this.#options.src })
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
  const preload = { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: src }
  const link = appendElement(document.head, 'link', preload)
  link.onload = link.onerror = () => link.remove()
}
