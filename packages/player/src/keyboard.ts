const SPEEDS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]
/** A frame where nobody knows better. */
const FRAME_SECONDS = 1 / 30

/** What keys do, as on YouTube. `press` is for what is a button as well. */
const KEYS: Record<string, (video: HTMLVideoElement, press: (button: string) => void) => void> = {
  ' ': toggle,
  k: toggle,
  j: (video) => skip(video, -10),
  l: (video) => skip(video, 10),
  arrowleft: (video) => skip(video, -5),
  arrowright: (video) => skip(video, 5),
  arrowup: (video) => turn(video, 0.05),
  arrowdown: (video) => turn(video, -0.05),
  home: (video) => goTo(video, 0),
  end: (video) => goTo(video, video.duration),
  ',': (video) => step(video, -FRAME_SECONDS),
  '.': (video) => step(video, FRAME_SECONDS),
  '<': (video) => changeSpeed(video, -1),
  '>': (video) => changeSpeed(video, 1),
  m: (_, press) => press('mute'),
  f: (_, press) => press('fullscreen'),
  c: (_, press) => press('captions'),
  i: (_, press) => press('pip'),
}

/** Whether a key means something; then it was done. */
export function handleKey(
  event: KeyboardEvent,
  video: HTMLVideoElement,
  press: (button: string) => void,
): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const { key } = event
  if (/^\d$/.test(key)) goTo(video, (video.duration * Number(key)) / 10)
  else {
    const action = KEYS[key.toLowerCase()]
    if (!action) return false
    action(video, press)
  }
  return true
}

function toggle(video: HTMLVideoElement): void {
  if (video.paused) video.play().catch(() => {})
  else video.pause()
}

function goTo(video: HTMLVideoElement, time: number): void {
  if (Number.isFinite(time)) video.currentTime = Math.max(0, Math.min(time, video.duration))
}

function skip(video: HTMLVideoElement, seconds: number): void {
  goTo(video, video.currentTime + seconds)
}

function step(video: HTMLVideoElement, seconds: number): void {
  if (video.paused) skip(video, seconds)
}

function turn(video: HTMLVideoElement, by: number): void {
  video.volume = Math.max(0, Math.min(1, video.volume + by))
  video.muted = video.volume === 0
}

function changeSpeed(video: HTMLVideoElement, by: number): void {
  video.playbackRate = SPEEDS[SPEEDS.indexOf(video.playbackRate) + by] ?? video.playbackRate
}
