export interface Choices {
  levels: { width: number; height: number; bitrate: number }[]
  sounds: { name: string; lang?: string; isDefault: boolean }[]
  subtitles: { name: string; lang?: string }[]
  /** The number of the sound that is played. */
  sound: number
}

export interface PlayerError {
  type: string
  details: string
  fatal: boolean
  reason?: string
  url?: string
  message?: string
  code?: number
}

export interface PlayerState {
  currentTime: number
  duration: number
  videoWidth: number
  videoHeight: number
  paused: boolean
  ended: boolean
  buffered: [start: number, end: number][]
  decodedFrames: number
  decodedSoundBytes: number
  /** Every frame that came to the screen since the video was loaded. */
  shown: { mediaTime: number; width: number; height: number }[]
  level: number
  errors: PlayerError[]
}

export interface Cue {
  startTime: number
  endTime: number
  text: string
}

/** What page/player.ts offers. Each fails at once where the player has given up. */
export interface InPage {
  load(url: string, startPosition?: number): Choices
  play(seconds?: number, rate?: number): void
  playToEnd(rate: number): void
  pause(): void
  /** Pauses there. With a frame's time: until it is on the screen, at another time within it if need be. */
  seek(time: number, frame?: { time: number; middle: number }): void
  switchLevel(level: number, how: 'currentLevel' | 'nextLevel'): void
  switchSound(number: number): void
  /** Answers all cues once there are this many. */
  showSubtitles(number: number, count: number): Cue[]
  state(): PlayerState
  picture(across: number, down: number): number[]
  /** The loudest one, in hertz. */
  frequency(): number
  /** Where it believes each playlist's fragments to be. */
  maps(): { url: string; fragments: { start: number; end: number }[] }[]
}

export const METHODS = [
  ...(['load', 'play', 'playToEnd', 'pause', 'seek', 'switchLevel', 'switchSound', 'showSubtitles'] as const),
  ...(['state', 'picture', 'frequency', 'maps'] as const),
] satisfies (keyof InPage)[]
