import type { Player } from './player.ts'

/** What is offered, by keys and in the menu. */
export const SPEEDS: number[] = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]
/** Frames a second where nobody knows better. */
const FRAME_RATE = 30
/** So many seconds into a chapter, going back means the one before. */
const CHAPTER_BEGUN = 2

type Press = (button: string) => void
type KeyAction = (player: Player, press: Press) => void

/** What keys do, as on YouTube. `press` is for what is a button as well. */
const KEYS: Record<string, KeyAction> = {
  ' ': toggle,
  k: toggle,
  j: (player) => skip(player, -10),
  l: (player) => skip(player, 10),
  arrowleft: (player) => skip(player, -5),
  arrowright: (player) => skip(player, 5),
  arrowup: (player) => turn(player, 0.05),
  arrowdown: (player) => turn(player, -0.05),
  home: (player) => goTo(player, 0),
  end: (player) => goTo(player, player.video.duration),
  ',': (player) => step(player, -1),
  '.': (player) => step(player, 1),
  '<': (player) => changeSpeed(player, -1),
  '>': (player) => changeSpeed(player, 1),
  m: (_, press) => press('mute'),
  f: (_, press) => press('fullscreen'),
  c: (_, press) => press('captions'),
  i: (_, press) => press('pip'),
}

/** With the key that jumps by more than an arrow alone. */
const JUMPS: Record<string, KeyAction> = {
  arrowleft: (player) => changeChapter(player, -1),
  arrowright: (player) => changeChapter(player, 1),
}

/** Whether a key means something; then it was done. */
export function handleKey(event: KeyboardEvent, player: Player, press: Press): boolean {
  const { altKey, ctrlKey, metaKey } = event
  // With an arrow, Ctrl goes to another screen on a Mac, and Alt to the page before elsewhere.
  const [jumps, others] = /^(Mac|iP)/.test(navigator.platform) ? [altKey, ctrlKey] : [ctrlKey, altKey]
  const key = event.key.toLowerCase()
  const tenth: KeyAction = () => goTo(player, (player.video.duration * Number(key)) / 10)
  const action = jumps ? JUMPS[key] : /^\d$/.test(key) ? tenth : KEYS[key]
  if (!action || others || metaKey) return false
  action(player, press)
  return true
}

function toggle({ video }: Player): void {
  if (video.paused) video.play().catch(() => {})
  else video.pause()
}

function goTo({ video }: Player, time?: number): void {
  if (Number.isFinite(time)) video.currentTime = Math.max(0, Math.min(time!, video.duration))
}

function skip(player: Player, seconds: number): void {
  goTo(player, player.video.currentTime + seconds)
}

/** To the beginning of the next chapter, or back to that of this one. */
function changeChapter(player: Player, by: number): void {
  const { chapters } = player.state
  const now = player.video.currentTime
  const to =
    by > 0
      ? chapters.find(({ start }) => start > now)
      : (chapters.filter(({ start }) => start < now - CHAPTER_BEGUN).at(-1) ?? chapters[0])
  goTo(player, to?.start)
}

function step(player: Player, frames: number): void {
  const { video, state } = player
  const frameRate = state.rungs[state.rung]?.frameRate || FRAME_RATE
  // The middle of a frame: its edges may be rounded into the one beside it.
  const frame = Math.floor(video.currentTime * frameRate + 0.01) + frames
  if (video.paused) goTo(player, (frame + 0.5) / frameRate)
}

function turn({ video }: Player, by: number): void {
  video.volume = Math.max(0, Math.min(1, video.volume + by))
  video.muted = video.volume === 0
}

/** To the next speed that way, also from one that the page has set. */
function changeSpeed({ video }: Player, by: number): void {
  const now = video.playbackRate
  const further = SPEEDS.filter((one) => (one - now) * by > 0)
  video.playbackRate = further.at(by > 0 ? 0 : -1) ?? now
}
