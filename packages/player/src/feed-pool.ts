import type { Post } from './feed-reader.ts'
import { sourceOf } from './feed-reader.ts'
import { Player, type TrackerLike, Tracking } from './index.ts'

/** One that is seen and two that come; phones allow few more. */
const SIZE = 3

/** What a player of the pool is for now. */
interface Seat {
  readonly player: Player
  readonly tracking: Tracking
  post: Post | undefined
  /** Where it begins. */
  at: number
  /** Whether it is the one that is seen, of which a tracker is told. */
  isSeen: boolean
}

/**
 * Three video elements for a feed of any length. Each is handed from post to post; what comes next loads its playlist and
 * first segments, one after the other, so that nothing is in the way of what is seen.
 */
export class VideoPool {
  readonly #seats: Seat[]
  #wanted: Post[] = []

  /** Tells of whatever a player of the pool tells, with the post that it is for. */
  constructor(tell: (event: Event, player: Player, post: Post) => void) {
    this.#seats = Array.from({ length: SIZE }, () => {
      const video = document.createElement('video')
      Object.assign(video, { playsInline: true, crossOrigin: '', preload: 'none', loop: true, tabIndex: -1 })
      video.setAttribute('part', 'video')
      video.disablePictureInPicture = true
      const player = new Player(video)
      const seat: Seat = { player, tracking: new Tracking(player), post: undefined, at: 0, isSeen: false }
      const hear = (event: Event) => seat.post && tell(event, player, seat.post)
      for (const [target, name] of [
        [video, 'loadeddata'],
        [player, 'change'],
      ] as const)
        target.addEventListener(name, () => this.#loadNext())
      for (const name of ['loadeddata', 'playing', 'pause', 'waiting', 'timeupdate', 'seeked'])
        video.addEventListener(name, hear)
      for (const name of ['change', 'refused']) player.addEventListener(name, hear)
      return seat
    })
  }

  set muted(isMuted: boolean) {
    for (const { player } of this.#seats) {
      player.video.muted = isMuted
      // Some browsers only heed the attribute when they decide what may play by itself.
      player.video.toggleAttribute('muted', isMuted)
    }
  }

  set tracker(tracker: TrackerLike | undefined) {
    for (const { tracking } of this.#seats) tracking.tracker = tracker
  }

  playerOf(post: Post | undefined): Player | undefined {
    return post && this.#seats.find((seat) => seat.post?.id === post.id)?.player
  }

  /**
   * Has players for these posts, the one that is seen first. Others keep theirs only as long as they are near, so
   * that a step back finds the video as it was.
   */
  arrange(wanted: Post[], isNear: (post: Post) => boolean, at = 0): void {
    this.#wanted = wanted.filter(({ video }) => video).slice(0, SIZE)
    for (const seat of this.#seats) if (seat.post && !isNear(seat.post)) this.#leave(seat)
    const isWanted = ({ post }: Seat) => this.#wanted.some(({ id }) => id === post?.id)
    for (const post of this.#wanted) {
      if (this.playerOf(post)) continue
      const free = this.#seats.filter((seat) => !isWanted(seat))
      const seat = free.find(({ post }) => !post) ?? free[0]!
      this.#leave(seat)
      seat.post = post
      seat.at = post === wanted[0] ? at : 0
    }
    this.#loadNext()
  }

  /** Plays one, or none; nothing else is heard or counted. */
  play(post: Post | undefined, isPlaying: boolean): void {
    for (const seat of this.#seats) {
      const { player, tracking } = seat
      const isSeen = seat.post !== undefined && seat.post.id === post?.id
      if (isSeen !== seat.isSeen)
        tracking.follow(isSeen ? (player.source ?? sourceOf(seat.post!)) : undefined)
      seat.isSeen = isSeen
      if (!isSeen || !isPlaying) player.pause()
      else if (player.video.paused && player.state.status !== 'failed') player.play()
    }
  }

  #leave(seat: Seat): void {
    if (!seat.post) return
    seat.post = undefined
    seat.isSeen = false
    seat.tracking.follow(undefined)
    seat.player.pause()
    seat.player.close()
    seat.player.video.remove()
  }

  /** The next one that has not begun to load, if those before it have something to show. */
  #loadNext(): void {
    for (const post of this.#wanted) {
      const seat = this.#seats.find((one) => one.post?.id === post.id)
      if (!seat) return
      if (!seat.player.source) {
        seat.player.load(sourceOf(post)!, { at: seat.at })
        return
      }
      const { status } = seat.player.state
      if (seat.player.video.readyState < 2 && status !== 'failed' && status !== 'recovering') return
    }
  }

  close(): void {
    this.#wanted = []
    for (const seat of this.#seats) this.#leave(seat)
  }
}
