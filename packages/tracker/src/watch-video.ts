import { newId } from './about.ts'
import type { ContentType, ContentView, Emit, Quality, ViewPage } from './events.ts'
import { addUpPasses, type Manner } from './passes.ts'
import { measurePlay, now, rungOf } from './quality.ts'

/** What the page knows of how a video is played; what is left out is read from the element where that says it. */
export interface PlayState {
  /** The service's tier, or the height of what is played, as a number or as `1080p`. */
  quality?: string | number
  /** Languages; none where they are off. */
  subtitle?: string
  audio?: string
  /** The title of the chapter. */
  chapter?: string
}

export interface AttachOptions {
  contentId: string
  /** `MEDIA_TYPE_VIDEO` unless told. */
  contentType?: ContentType
  feedId?: string
  postId?: string
  page?: ViewPage
  /** Asked many times a second: it should only read what is known. */
  state?: () => PlayState
  /** When playing was asked for, as `performance.now()` told it then, where that was before the video is followed. */
  since?: number
  /**
   * Of a player that knows better than the element when playing has failed for good: is given what to call then, with a
   * code. Errors of the element, which such a player may recover from, are not told.
   */
  failures?: (tell: (code: string) => void) => void
}

export interface WatchedVideo {
  readonly contentId: string
  /** Of the play that goes on, for events about it. */
  playId(): string
  /** Tells everything that was watched, since the page may be gone in a moment; the pass that goes on ends. */
  settle(): void
  /** The page can be seen again. */
  resume(): void
  /** Tells everything, and nothing more. */
  stop(): void
}

/** What moves a video or stops it, or says where it is. */
const HEARD = 'play playing pause waiting seeking ratechange timeupdate ended resize error'.split(' ')
/** Of the 500 that an event may have. */
const MANY_PASSES = 400

/** Follows a video and emits a view's start, what was watched of it, and its end. */
export function watchVideo(
  video: HTMLVideoElement,
  options: AttachOptions,
  emit: Emit,
  heartbeat: number,
): WatchedVideo {
  const { contentId, feedId, postId, page } = options
  const passes = addUpPasses()
  let frame = 0
  /** Hidden, or about to go: a page that is closed hears so before it is hidden. */
  let isAway = document.hidden
  let opened: Manner | undefined
  /** Whether it has come to its end, and goes on since it loops. */
  let isRound = false
  const newPlay = (since?: number) => measurePlay(video, contentId, newId(), emit, since)
  let play = newPlay(options.since)

  function sample(isSeek = video.seeking): void {
    const { paused, ended, seeking, readyState, playbackRate, currentTime: position, loop, duration } = video
    const isWatched = !(paused || ended || seeking || isAway) && readyState > 2 && playbackRate > 0
    const manner = mannerOf(video, options.state?.())
    if (isWatched && !opened) {
      opened = manner
      view('start')
      play.started()
    }
    if (passes.add({ at: now(), position, isWatched, isSeek, manner, loopsAt: loop ? duration : 0 }))
      tell(true, true)
    if (passes.over.length >= MANY_PASSES) tell(true)
    // Between two events nothing else says where playing was when a seek began.
    cancelAnimationFrame(frame)
    if (isWatched) frame = requestAnimationFrame(() => sample())
  }

  function view(view_type: ContentView['view_type'], more: ContentView = {}): void {
    const { duration, currentTime } = video
    const { subtitle, audio, quality } = opened!
    emit('content_view', {
      content_id: contentId,
      content_type: options.contentType ?? 'MEDIA_TYPE_VIDEO',
      feed_id: feedId,
      post_id: postId,
      page,
      view_type,
      video_position_ms: seconds(view_type === 'end' ? duration : currentTime),
      video_total_duration_ms: duration < Infinity ? seconds(duration) : undefined,
      subtitle_language: subtitle,
      audio_language: audio,
      quality,
      ...more,
    })
  }

  function tell(isAll: boolean, isOver = false): void {
    if (!opened) return
    const { passes: over, seconds: watched } = passes.tell(isAll)
    // A round is no view of its own, so that the end comes once.
    const isEnd = isOver && !isRound
    isRound ||= isOver
    play.watched(watched)
    if (isEnd || over.length > 0 || watched > 0.001)
      view(isEnd ? 'end' : 'watch', {
        watch_duration_ms: seconds(watched),
        segments: over.map(({ start, end, manner }) => ({
          start_ms: seconds(start),
          end_ms: seconds(end),
          speed: manner.speed,
          // What a segment leaves out counts as it was when the view was opened, so that what was turned off is said.
          subtitle_language: manner.subtitle ?? (opened!.subtitle && ''),
          audio_language: manner.audio ?? (opened!.audio && ''),
          quality: manner.quality,
          chapter_title: manner.chapter,
        })),
      })
  }

  function settle(isEnd = false): void {
    sample()
    tell(true, isEnd)
    play.settle()
    if (!isEnd) return
    // Watched once more, it is another view.
    opened = undefined
    isRound = false
    play = newPlay()
  }

  function hear({ type }: Event): void {
    play.heard(type)
    if (type === 'error' && !options.failures) play.failed()
    sample(type === 'seeking' || video.seeking)
    if (type === 'resize') tell(false)
    if (type === 'ended') settle(true)
  }

  const life = new AbortController()
  for (const name of HEARD) video.addEventListener(name, hear, life)
  const timer = setInterval(() => {
    sample()
    tell(false)
  }, heartbeat)
  sample()
  options.failures?.((code) => play.failed(code))

  return {
    contentId,
    playId: () => play.id,
    settle() {
      isAway = true
      settle()
    },
    resume() {
      isAway = false
      sample()
    },
    stop() {
      settle()
      clearInterval(timer)
      cancelAnimationFrame(frame)
      life.abort()
    },
  }
}

function mannerOf(video: HTMLVideoElement, state: PlayState = {}): Manner {
  const { quality = rungOf(video) } = state
  return {
    speed: video.playbackRate,
    subtitle:
      'subtitle' in state
        ? state.subtitle
        : [...video.textTracks].find(({ mode, kind }) => mode === 'showing' && /^(sub|cap)/.test(kind))
            ?.language,
    audio: state.audio,
    quality: /^V/.test(`${quality}`) ? (quality as Quality) : tierOf(Number.parseFloat(`${quality}`)),
    chapter: state.chapter,
  }
}

/** The tier that such a height needs: a rung of it may be played by those of a higher one too. */
function tierOf(height: number): Quality | undefined {
  return height ? `VIDEO_QUALITY_${height > 1080 ? 'PRO' : height > 720 ? 'SHORTS' : 'BASIC'}` : undefined
}

/** Sums of fractions may end a little below zero, which no duration is. */
const seconds = (number: number): string => `${Math.max(0, number).toFixed(3)}s`
