import { type Engine, isNativeOnly, NativeEngine, type Report } from './engine.ts'
import { HlsEngine } from './hls-engine.ts'
import type { Source } from './source.ts'
import { chooseSubtitle, setChapters, setStoryboard, subtitlesOf } from './tracks.ts'

export interface Chapter {
  title: string
  start: number
  end: number
}

/** A rung of the ladder: one size of the pictures. */
export interface Rung {
  width: number
  height: number
  bitrate: number
  /** Pictures a second. */
  frameRate: number
}

export interface Choice {
  label: string
  language: string
}

/** What went wrong: the network for now, the video is not to be had, or not to be played by this browser. */
export type Trouble = 'network' | 'unavailable' | 'unplayable'

export interface PlayerState {
  status: 'empty' | 'loading' | 'ready' | 'recovering' | 'failed'
  trouble?: Trouble
  rungs: Rung[]
  /** The one that is played, whoever chose it; -1 before that is known. */
  rung: number
  /** Whether the player chooses the rung by itself. */
  isAuto: boolean
  audios: Choice[]
  audio: number
  subtitles: Choice[]
  /** -1 where none is shown. */
  subtitle: number
  chapters: Chapter[]
}

/** The `readyState` from which on an element plays: `HAVE_FUTURE_DATA`. */
export const PLAYABLE = 3

const NOTHING = { rungs: [], rung: -1, isAuto: true, audios: [], audio: -1 }

/**
 * Plays in a video element, without anything to see around it. Tells of every change of its state by an
 * event `change`; playing, pausing and seeking are the element's own.
 */
export class Player extends EventTarget {
  readonly video: HTMLVideoElement
  #engine: Engine | undefined
  #source: Source | undefined
  #status: PlayerState['status'] = 'empty'
  #trouble: Trouble | undefined
  #captions = ''
  #wantsPlay = false
  /** Where it is played, as long as it has begun. */
  #place = 0

  constructor(video: HTMLVideoElement) {
    super()
    this.video = video
    const changed = () => this.#changed()
    video.addEventListener('resize', changed)
    // What is loaded is shown first: to load more costs the frame that the viewer has just asked for.
    for (const name of ['timeupdate', 'waiting'])
      video.addEventListener(name, () => video.paused || this.#engine?.loadAhead())
    for (const name of ['timeupdate', 'seeking'])
      video.addEventListener(name, () => {
        if (video.readyState > 0) this.#place = video.currentTime
      })
    // Whoever has paused one video does not want the next one to play by itself.
    for (const name of ['play', 'pause'])
      video.addEventListener(name, () => {
        this.#wantsPlay = !video.paused
      })
    video.textTracks.addEventListener('addtrack', () => this.#showCaptions())
    video.textTracks.addEventListener('change', changed)
    video.addEventListener('error', () => this.#engine?.mediaFailed())
  }

  get source(): Source | undefined {
    return this.#source
  }

  get state(): PlayerState {
    const subtitles = subtitlesOf(this.video)
    return {
      status: this.#status,
      trouble: this.#trouble,
      ...(this.#engine?.choices() ?? NOTHING),
      subtitles: subtitles.map(({ label, language }) => ({ label, language })),
      subtitle: subtitles.findIndex(({ mode }) => mode === 'showing'),
      chapters: this.#source?.chapters ?? [],
    }
  }

  /** Brings the script that playing needs, before it is known what is to be played. */
  warmUp(): void {
    if (!isNativeOnly(this.video)) HlsEngine.loadScript().catch(() => {})
  }

  /** Loads the playlists and the first segments; the rest when it is played. */
  async load(source: Source, { at = 0 }: { at?: number } = {}): Promise<void> {
    this.#close()
    this.#source = source
    this.#place = at
    this.#set('loading')
    setChapters(this.video, source.chapters ?? [])
    setStoryboard(this.video, source.storyboard)
    const report: Report = (status, trouble) => this.#source === source && this.#set(status, trouble)
    const open = isNativeOnly(this.video) ? NativeEngine.open : HlsEngine.open
    try {
      const place = () => this.#place
      const engine = await open(this.video, { src: source.src, place, resume: this.#resume, report })
      if (this.#source === source) this.#engine = engine
      else engine.close()
    } catch {
      // The script of hls.js did not come.
      report('failed', 'network')
    }
    if (this.#engine) this.#resume()
    this.#changed()
  }

  readonly #resume = (): void => {
    if (this.#wantsPlay) this.#play()
  }

  /** Plays as soon as there is something to play. */
  play(): void {
    this.#wantsPlay = true
    // Also before anything is there: some browsers only take it from the click itself.
    this.#play()
  }

  #play(): void {
    if (this.video.readyState < PLAYABLE) this.#engine?.loadAhead()
    this.video.play().catch((error: DOMException) => {
      if (error.name !== 'NotAllowedError') return
      this.#wantsPlay = false
      this.dispatchEvent(new Event('refused'))
    })
  }

  pause(): void {
    this.#wantsPlay = false
    this.video.pause()
  }

  /** Once more from where it was. */
  async retry(): Promise<void> {
    if (!this.#source) return
    this.#wantsPlay = true
    await this.load(this.#source, { at: this.#place })
  }

  /** A number of `state.rungs`, or `AUTO`. */
  chooseRung(rung: number): void {
    this.#engine?.chooseRung(rung)
    this.#changed()
  }

  /** A number of `state.audios`. */
  chooseAudio(audio: number): void {
    this.#engine?.chooseAudio(audio)
    this.#changed()
  }

  /** A number of `state.subtitles`, or -1 for none. */
  chooseSubtitle(subtitle: number): void {
    this.#captions = ''
    chooseSubtitle(this.video, subtitle)
    this.#changed()
  }

  /** Shows subtitles in this language once there are any. */
  preferCaptions(language: string): void {
    this.#captions = language
    this.#showCaptions()
  }

  #showCaptions(): void {
    const tracks = subtitlesOf(this.video)
    const found = this.#captions ? tracks.findIndex(({ language }) => language === this.#captions) : -1
    if (found >= 0 && tracks[found]!.mode !== 'showing') chooseSubtitle(this.video, found)
    this.#changed()
  }

  #set(status: PlayerState['status'], trouble?: Trouble): void {
    this.#status = status
    this.#trouble = trouble
    this.#changed()
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'))
  }

  #close(): void {
    this.#engine?.close()
    this.#engine = undefined
  }

  /** Lets go of everything; another source may be loaded after it. */
  close(): void {
    this.#close()
    this.#source = undefined
    this.#wantsPlay = false
    this.#set('empty')
  }
}

export function createPlayer(video: HTMLVideoElement): Player {
  return new Player(video)
}
