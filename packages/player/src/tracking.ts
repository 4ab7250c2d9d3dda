import { nameOfRung } from './menu.ts'
import type { Player } from './player.ts'
import type { Source } from './source.ts'

/** What a tracker knows of what is watched; `@marquee/tracker` has such an `attach`. */
export interface TrackerLike {
  attach(
    video: HTMLVideoElement,
    about: {
      contentId: string
      contentType?: string
      feedId?: string
      postId?: string
      state?: () => { quality?: string; subtitle?: string; audio?: string; chapter?: string }
      since?: number
      failures?: (tell: (code: string) => void) => void
    },
  ): () => void
}

/** Tells a tracker what is watched of a source, while there are both. */
export class Tracking {
  readonly #player: Player
  #tracker: TrackerLike | undefined
  #source: Source | undefined
  #detach: (() => void) | undefined
  /** When playing was asked for before anything was followed. */
  #since: number | undefined
  #tellFailure: ((code: string) => void) | undefined

  constructor(player: Player) {
    this.#player = player
    player.addEventListener('change', () => this.#hear())
    // A click can come before it is known what is to be played.
    player.video.addEventListener('play', () => {
      if (!this.#detach) this.#since ??= performance.now()
    })
  }

  get tracker(): TrackerLike | undefined {
    return this.#tracker
  }

  /** One that is told again, as with each rendering of a page, goes on: what is watched meanwhile is one segment. */
  set tracker(tracker: TrackerLike | undefined) {
    if (tracker === this.#tracker) return
    this.#tracker = tracker
    this.#attach()
  }

  follow(source: Source | undefined): void {
    this.#source = source
    this.#attach()
  }

  #attach(): void {
    this.#detach?.()
    this.#detach = this.#tellFailure = undefined
    const { contentId, feedId, postId } = this.#source ?? {}
    if (!contentId) return
    const state = () => watchedOf(this.#player)
    const failures = (tell: (code: string) => void) => {
      this.#tellFailure = tell
      this.#hear()
    }
    const about = { contentId, feedId, postId, state, since: this.#since, failures }
    this.#detach = this.#tracker?.attach(this.#player.video, about)
    if (this.#detach) this.#since = undefined
  }

  /** Of this source: what is followed before it is loaded has not failed with the one before. */
  #hear(): void {
    const { source, state } = this.#player
    if (state.status === 'failed' && source === this.#source) this.#tellFailure?.(state.trouble!)
  }
}

function watchedOf(player: Player): {
  quality?: string
  subtitle?: string
  audio?: string
  chapter?: string
} {
  const { rungs, rung, subtitles, subtitle, audios, audio } = player.state
  return {
    quality: rungs[rung] && nameOfRung(rungs[rung]),
    subtitle: subtitles[subtitle]?.language,
    audio: audios[audio]?.language,
    chapter: chapterOf(player),
  }
}

/** The title of the chapter that is played. */
export function chapterOf({ video, source }: Player): string | undefined {
  return source?.chapters?.filter(({ start }) => start <= video.currentTime).at(-1)?.title
}
