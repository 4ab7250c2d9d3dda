import type { PlayerState, Trouble } from './player.ts'

/** The rung that the player chooses by itself. */
export const AUTO = -1

export type Report = (status: PlayerState['status'], trouble?: Trouble) => void

export interface EngineOptions {
  src: string
  /** Where it is played, or is to begin, in seconds. An element that begins anew has forgotten it. */
  place: () => number
  /** Plays on, if it was played: an element that begins anew stands still. */
  resume: () => void
  report: Report
}

/** What brings a video into its element: hls.js, or the browser itself. */
export interface Engine {
  choices(): Pick<PlayerState, 'rungs' | 'rung' | 'isAuto' | 'audios' | 'audio'>
  chooseRung(rung: number): void
  chooseAudio(audio: number): void
  /** From now on as much as playing needs; before, only the first seconds. */
  loadAhead(): void
  /** The element tells of an error. */
  mediaFailed(): void
  close(): void
}

interface AudioTrackLike {
  label: string
  language: string
  enabled: boolean
}

/** What elements say of their errors: `MEDIA_ERR_NETWORK` and `MEDIA_ERR_DECODE`. */
const NOT_LOADED = 2
const NOT_DECODED = 3
/** What cannot be decoded is begun anew so often in this time; to do so once more is of no use. */
const RECOVERIES = 3
const RECOVERIES_MS = 60_000

/** Whether it may begin anew, by when it has done so. */
export function mayBeginAnew(times: number[]): boolean {
  const now = performance.now()
  return times.push(now) <= RECOVERIES || now - times.at(-1 - RECOVERIES)! > RECOVERIES_MS
}

/** hls.js brings its own pictures to the screen, by one of these. */
const sources: { ManagedMediaSource?: unknown; MediaSource?: unknown } = globalThis as never

/** Where hls.js cannot run and the browser plays HLS by itself: older iPhones. */
export function isNativeOnly(video: HTMLVideoElement): boolean {
  const hasMediaSource = Boolean(sources.ManagedMediaSource ?? sources.MediaSource)
  return !hasMediaSource && video.canPlayType('application/vnd.apple.mpegurl') !== ''
}

/** The browser's own HLS: it chooses rungs and waits for a network by itself, until it gives up. */
export class NativeEngine implements Engine {
  readonly #video: HTMLVideoElement & { audioTracks?: Iterable<AudioTrackLike> }
  readonly #options: EngineOptions
  readonly #recoveries: number[] = []

  static async open(video: HTMLVideoElement, options: EngineOptions): Promise<Engine> {
    return new NativeEngine(video, options)
  }

  private constructor(video: HTMLVideoElement, options: EngineOptions) {
    this.#video = video
    this.#options = options
    video.preload = 'metadata'
    this.#begin()
  }

  #begin(): void {
    const { src, place, report } = this.#options
    const video = this.#video
    const at = place()
    video.src = at > 0 ? `${src}#t=${at}` : src
    video.addEventListener('loadedmetadata', () => report('ready'), { once: true })
  }

  choices(): ReturnType<Engine['choices']> {
    const audios = [...(this.#video.audioTracks ?? [])]
    return {
      rungs: [],
      rung: -1,
      isAuto: true,
      audios: audios.map(({ label, language }) => ({ label, language })),
      audio: audios.findIndex(({ enabled }) => enabled),
    }
  }

  chooseRung(): void {}

  chooseAudio(audio: number): void {
    for (const [i, track] of [...(this.#video.audioTracks ?? [])].entries()) track.enabled = i === audio
  }

  loadAhead(): void {
    this.#video.preload = 'auto'
  }

  mediaFailed(): void {
    const { report, resume } = this.#options
    const code = this.#video.error?.code
    if (code === NOT_DECODED && mayBeginAnew(this.#recoveries)) {
      report('recovering')
      this.#begin()
      resume()
    } else report('failed', code === NOT_LOADED ? 'network' : 'unplayable')
  }

  close(): void {
    this.#video.removeAttribute('src')
    this.#video.load()
  }
}
