// What the tests ask of a player, in the page itself. See ../in-page.ts for what each answers.
import type Hls from 'hls.js'
import type { ErrorData } from 'hls.js'
import type { Choices, Cue, InPage, PlayerError, PlayerState } from '../in-page.ts'
import { pictureOf } from './picture.ts'
import { frequencyOf } from './sound.ts'

interface Page {
  Hls: typeof Hls
  player: {
    [Name in keyof InPage]: (...args: Parameters<InPage[Name]>) => Awaitable<ReturnType<InPage[Name]>>
  }
}
type Awaitable<T> = T | Promise<T>

const page = globalThis as unknown as Page
const video: HTMLVideoElement & { webkitAudioDecodedByteCount?: number } = document.querySelector('video')!
// Nobody can say how long a busy machine takes; it must end all the same.
const PATIENCE_MS = 120_000
// What the player loads ahead; then it rests.
const AHEAD_SECONDS = 20
// Browsers play no slower.
const SLOWEST = 0.0625

let hls: Hls
let errors: PlayerError[] = []
let shown: PlayerState['shown'] = []

function noteFrame(_now: number, { mediaTime, width, height }: VideoFrameCallbackMetadata): void {
  shown.push({ mediaTime, width, height })
  video.requestVideoFrameCallback(noteFrame)
}
video.requestVideoFrameCallback(noteFrame)

const rangesOf = (ranges: TimeRanges) =>
  Array.from({ length: ranges.length }, (_, i): [number, number] => [ranges.start(i), ranges.end(i)])

function state(): PlayerState {
  const { currentTime, duration, videoWidth, videoHeight, paused, ended } = video
  const { totalVideoFrames } = video.getVideoPlaybackQuality()
  return {
    ...{ currentTime, duration, videoWidth, videoHeight, paused, ended },
    buffered: rangesOf(video.buffered),
    decodedFrames: totalVideoFrames,
    decodedSoundBytes: video.webkitAudioDecodedByteCount ?? 0,
    shown,
    level: hls.currentLevel,
    errors,
  }
}

/** Where the player believes its fragments to be, which is how it finds the one for a place. */
function maps() {
  return [...hls.levels, ...hls.audioTracks]
    .flatMap(({ details }) => details ?? [])
    .map((details) => ({
      url: details.url,
      fragments: details.fragments.map(({ start, end }) => ({ start, end })),
    }))
}

function report(): string {
  const { readyState, error } = video
  return JSON.stringify({ ...state(), readyState, mediaError: error?.message, shown: shown.slice(-3) })
}

/** When the condition holds; a player that has given up is not waited for. */
async function until(what: string, condition: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    if (video.error || errors.some((error) => error.fatal)) throw new Error(`no ${what}: ${report()}`)
    if (condition()) return
    if (performance.now() > deadline) throw new Error(`still no ${what}: ${report()}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

function noteError(
  _event: string,
  { type, details, fatal, error, reason, response, url, frag }: ErrorData,
): void {
  errors.push({
    ...{ type, details, fatal, reason, url: url ?? frag?.url },
    message: error?.message,
    code: response?.code,
  })
}

async function load(url: string, startPosition = -1): Promise<Choices> {
  hls?.destroy()
  errors = []
  shown = []
  hls = new page.Hls({
    startPosition,
    maxBufferLength: AHEAD_SECONDS,
    maxMaxBufferLength: AHEAD_SECONDS,
    // A segment is made first, which takes long on a busy machine. After a time-out hls.js 1.7 may stand still for ever.
    fragLoadPolicy: {
      default: {
        maxTimeToFirstByteMs: PATIENCE_MS,
        maxLoadTimeMs: PATIENCE_MS,
        timeoutRetry: { maxNumRetry: 2, retryDelayMs: 0, maxRetryDelayMs: 0 },
        errorRetry: { maxNumRetry: 4, retryDelayMs: 500, maxRetryDelayMs: 8000 },
      },
    },
  })
  hls.on(page.Hls.Events.ERROR, noteError)
  let isParsed = false
  hls.once(page.Hls.Events.MANIFEST_PARSED, () => {
    isParsed = true
  })
  hls.loadSource(url)
  hls.attachMedia(video)
  await until('multivariant playlist', () => isParsed)
  // Sounds and subtitles are those of a level, and known once there is one.
  await until('first picture', () => video.readyState >= 2 && shown.length > 0)
  return {
    levels: hls.levels.map(({ width, height, bitrate }) => ({ width, height, bitrate })),
    sounds: hls.audioTracks.map(({ name, lang, default: isDefault }) => ({ name, lang, isDefault })),
    subtitles: hls.subtitleTracks.map(({ name, lang }) => ({ name, lang })),
    sound: hls.audioTrack,
  }
}

/** Plays on for a stretch of the video, or to its end. */
async function play(seconds = 0.5, rate = 1): Promise<void> {
  const from = video.currentTime
  video.playbackRate = rate
  await video.play()
  await until('progress', () => video.currentTime >= from + seconds || video.ended)
}

async function playToEnd(rate: number): Promise<void> {
  let hasEnded = false
  video.onended = () => {
    hasEnded = true
  }
  await play(Number.POSITIVE_INFINITY, rate)
  await until('event that it has ended', () => hasEnded)
}

/**
 * With a frame: until that one is on the screen. Browsers may leave out the notice of a frame; one that is not heard of
 * for long is gone to again, from elsewhere, and in its middle. And they take the length of the frame before it from
 * decode times, which may cover all of this one, so that a paused video shows that instead: then this one is played to.
 */
async function seek(time: number, frame?: { time: number; middle: number }): Promise<void> {
  video.pause()
  await goTo(time)
  if (frame === undefined) return
  const isShown = () => Math.abs(shown.at(-1)!.mediaTime - frame.time) < 0.001
  for (let again = 0; again < 4 && !(await comes(isShown)); again++) {
    await goTo(time > video.duration / 2 ? 0 : video.duration * 0.9)
    if (again % 2 === 0) await goTo(frame.middle)
    else await playTo(frame.time, isShown)
  }
  await until(`frame of ${frame.time} at ${time}`, isShown)
}

/** So slowly that it can be stopped at a frame. */
async function playTo(time: number, isShown: () => boolean): Promise<void> {
  await goTo(Math.max(0, time - 0.1))
  video.playbackRate = SLOWEST
  await video.play()
  await until(`frame of ${time}`, () => isShown() || video.currentTime > time + 0.1 || video.ended)
  video.pause()
  video.playbackRate = 1
}

async function goTo(time: number): Promise<void> {
  video.currentTime = time
  await until(`place ${time}`, () => !video.seeking && video.readyState >= 2)
}

/** Whether a condition comes to hold in a reasonable time. */
async function comes(condition: () => boolean): Promise<boolean> {
  const deadline = performance.now() + PATIENCE_MS / 24
  while (!condition() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10))
  return condition()
}

function isLoadedAhead(): boolean {
  const { currentTime, duration } = video
  const enough = Math.min(currentTime + AHEAD_SECONDS, duration - 0.1)
  return rangesOf(video.buffered).some(([start, end]) => start <= currentTime && end >= enough)
}

/**
 * While it plays, as viewers do; a paused video keeps its last picture. And while nothing is being loaded:
 * hls.js 1.7, told to switch between an init segment and what follows it, may append the new level's
 * fragments behind the old one's init segment.
 */
async function switchLevel(level: number, how: 'currentLevel' | 'nextLevel'): Promise<void> {
  // A short one may come to its end before the other level is there; it begins again then.
  const again = () => {
    video.currentTime = 0
    video.play()
  }
  video.addEventListener('ended', again)
  try {
    await video.play()
    await until('rest', isLoadedAhead)
    await change(level, how)
  } finally {
    video.removeEventListener('ended', again)
  }
}

async function change(level: number, how: 'currentLevel' | 'nextLevel'): Promise<void> {
  hls[how] = level
  const { width, height } = hls.levels[level]!
  await until(
    `picture of ${width}x${height}`,
    () => video.videoWidth === width && video.videoHeight === height && hls.currentLevel === level,
  )
  await until('frame in the new size', () => shown.at(-1)!.width === width)
}

async function switchSound(number: number): Promise<void> {
  if (hls.audioTrack === number) return
  let isSwitched = false
  hls.once(page.Hls.Events.AUDIO_TRACK_SWITCHED, () => {
    isSwitched = true
  })
  hls.audioTrack = number
  await until('other sound', () => isSwitched && hls.audioTrack === number)
}

/** Answers all cues of the track once there are as many as are expected. */
async function showSubtitles(number: number, count: number): Promise<Cue[]> {
  hls.subtitleDisplay = true
  hls.subtitleTrack = number
  const cues = () =>
    [...video.textTracks]
      .filter(({ mode }) => mode === 'showing')
      .flatMap((track) => [...(track.cues ?? [])] as VTTCue[])
  await until(`${count} cues`, () => cues().length >= count)
  return cues().map(({ startTime, endTime, text }) => ({ startTime, endTime, text }))
}

page.player = {
  ...{ load, play, playToEnd, seek, switchLevel, switchSound, showSubtitles },
  pause: () => video.pause(),
  ...{ state, maps },
  picture: (across, down) => pictureOf(video, across, down),
  frequency: () => frequencyOf(video, until),
}
