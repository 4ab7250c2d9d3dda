import type { PlayerState, Trouble } from './player.ts'

/** The rung that the player chooses by itself. */
export const AUTO = -1

export type Report = (status: PlayerState['status'], trouble?: Trouble) => void

export interface EngineOptions {
  src: string
  /** Where playing begins, in seconds. */
  at: number
  report: Report
}

/** What brings a video into its element: hls.js, or the browser itself. */
export interface Engine {
  choices(): Pick<PlayerState, 'rungs' | 'rung' | 'isAuto' | 'audios' | 'audio'>
  chooseRung(rung: number): void
  chooseAudio(audio: number): void
  /** From now on as much as playing needs; before, only the first seconds. */
  loadAhead(): void
  mediaFailed(): void
  close(): void
}

interface AudioTrackLike {
  label: string
  language: string
  enabled: boolean
}

/** hls.js brings its own pictures to the screen, by one of these. */
const sources: { ManagedMediaSource?: unknown; MediaSource?: unknown } = globalThis as never

/** Where hls.js cannot run and the browser plays HLS by itself: older iPhones. */
export function isNativeOnly(video: HTMLVideoElement): boolean {
  const hasMediaSource = Boolean(sources.ManagedMediaSource ?? sources.MediaSource)
  return !hasMediaSource && video.canPlayType('application/vnd.apple.mpegurl') !== ''
}

/** The browser's own HLS: it chooses rungs by itself and recovers as it sees fit. */
export class NativeEngine implements Engine {
  readonly #video: HTMLVideoElement & { audioTracks?: Iterable<AudioTrackLike> }
  readonly #report: Report

  static async open(video: HTMLVideoElement, options: EngineOptions): Promise<Engine> {
    return new NativeEngine(video, options)
  }

  private constructor(video: HTMLVideoElement, { src, at, report }: EngineOptions) {
    this.#video = video
    this.#report = report
    video.preload = 'metadata'
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
    this.#report(
      'failed',
      this.#video.error?.code === MediaError.MEDIA_ERR_NETWORK ? 'network' : 'unplayable',
    )
  }

  close(): void {
    this.#video.removeAttribute('src')
    this.#video.load()
  }
}
