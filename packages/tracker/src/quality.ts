import type { Emit } from './events.ts'

export const now = (): number => performance.now()

/** Measures how well one play goes, and tells it by interactions and errors: see docs/tracker.md. */
export interface PlayMeter {
  readonly id: string
  heard(event: string): void
  /** The first picture is there. */
  started(): void
  /** So many more seconds were watched, at the rung that was played until now. */
  watched(seconds: number): void
  /** With a player's own code, or the element's; told once. */
  failed(code?: string): void
  settle(): void
}

export function measurePlay(
  video: HTMLVideoElement,
  contentId: string,
  id: string,
  emit: Emit,
  since: number = now(),
): PlayMeter {
  /** When playing was asked for; nothing where that is not known, since it had begun before. */
  let wantedAt = (!video.paused || video.autoplay) && video.readyState < 3 && since
  let isStarted: true | undefined
  let hasFailed: true | undefined
  let stalledAt = 0
  let rung = 0
  let onRung = 0
  let frames = video.getVideoPlaybackQuality()

  function tell(interaction_type: string, click_x: number, click_y?: number): void {
    emit('interaction', {
      interaction_type,
      element_type: 'video',
      element_id: contentId,
      session_id: id,
      click_x: Math.round(click_x),
      click_y,
    })
  }

  function endStall(): void {
    if (stalledAt) tell('playback_stall', now() - stalledAt)
    stalledAt = 0
  }

  function tellRung(): void {
    if (onRung) tell('playback_rung', onRung * 1000, rung)
    onRung = 0
  }

  return {
    id,
    heard(event) {
      if (event === 'play') wantedAt ||= isStarted ? 0 : now()
      // A seek waits for what it leads to: that is no stall.
      else if (event === 'waiting' && isStarted && !video.seeking && !document.hidden) stalledAt ||= now()
      else if (/play|pause|seek|end|err/.test(event)) endStall()
    },
    started() {
      isStarted = true
      if (wantedAt) tell('playback_start', now() - wantedAt)
      rung = rungOf(video)
    },
    watched(seconds) {
      onRung += seconds
      const now = rungOf(video)
      if (now !== rung) tellRung()
      rung = now
    },
    failed(code) {
      if (hasFailed) return
      hasFailed = true
      emit('error', {
        error_type: 'playback',
        error_code: code ?? nameOf(video.error),
        error_message: video.error?.message,
        resource_type: 'video',
        resource_id: contentId,
        session_id: id,
      })
    },
    settle() {
      endStall()
      tellRung()
      const before = frames
      frames = video.getVideoPlaybackQuality()
      const total = frames.totalVideoFrames - before.totalVideoFrames
      if (total > 0) tell('playback_frames', frames.droppedVideoFrames - before.droppedVideoFrames, total)
      // A page that nobody saw has kept nobody waiting.
      wantedAt = 0
    },
  }
}

/** Such as `MEDIA_ERR_DECODE`: the class has the names of its codes. */
function nameOf(error: MediaError | null): string | undefined {
  const codes = MediaError as unknown as Record<string, number>
  return Object.keys(codes).find((name) => codes[name] === error?.code)
}

/** The shorter side, as rungs are called. */
export function rungOf({ videoWidth, videoHeight }: HTMLVideoElement): number {
  return Math.min(videoWidth, videoHeight)
}
