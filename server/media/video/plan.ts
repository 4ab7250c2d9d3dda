import { type CopiedSound, type CopyableSound, couldBePassedOn } from './aac-packets.ts'
import { type Colours, coloursOf, hasPlainColours, isHdr } from './colours.ts'
import type { AudioStream, Probe, Rational, VideoStream } from './description.ts'
import { UnsupportedVideo } from './errors.ts'
import { ladder, type Picture, type Quality, type Rung, topSide } from './ladder.ts'
import type { Pictures } from './pictures.ts'
import { type Rates, ratesOf } from './rates.ts'
import { CLOCK, type Segment, ticks, timelineOf } from './timeline.ts'
import { type ClipWindow, cutTo, untilOf } from './window.ts'

/** How a video is cut and offered. Everything a segment is made by, apart from the source itself. */
export interface PlaybackPlan {
  source: {
    stream: number
    timeBase: Rational
    /** The time of the first picture in the source's clock: where the presentation begins. */
    zero: number
    hdr: boolean
    /** Of plans that are older than this, files are taken at their word. */
    colours?: Colours
    interlaced: boolean
    /** Its pictures are of a kind that the faster of two scalers takes. */
    quick: boolean
    framesPerSecond: number
    /** Of a part of a file: the time in its clock from which on no picture is shown. */
    until?: number
  }
  segments: Segment[]
  /** In ticks of the clock. */
  end: number
  /** Lowest first. */
  video: VideoRendition[]
  audio: AudioRendition[]
  /** What its owner is to be told: what of the file is not offered, and why. Plans older than this have none. */
  notes?: string[]
}

export interface VideoRendition extends Rung {
  name: string
  /** The source's own pictures, not encoded again. */
  copied: boolean
  /** By RFC 6381. Of a copy, it is only known once some of it is made. */
  codec: string
  /** Of a copy; what others take shows when they are made. */
  rates?: Rates
}

export interface AudioRendition {
  name: string
  stream: number
  channels: number
  language: string
  title: string
  isDefault: boolean
  /** Where it is AAC already, and passed on as it is. */
  copied?: CopiedSound
}

export interface VideoFacts {
  duration: number
  width: number
  height: number
  bitrate: number
  codec: string
  framerate: string
  hdr: boolean
}

const MAX_SIDE = 16_384
const MAX_PIXELS = 8192 * 4320
const MAX_FRAMES_PER_SECOND = 300
const MAX_AUDIO = 16
/** Bytes of boxes around a segment's pictures, and around each of them. */
const SEGMENT_OVERHEAD = 128
const SAMPLE_OVERHEAD = 16

/** What comes of a file, to be tried out: the plan that copies what it can, and one that encodes everything. */
export interface Planned {
  facts: VideoFacts
  chapters: Probe['chapters']
  subtitles: Probe['subtitles']
  title: string
  /** Sounds that may be passed on as they are. */
  copyable: CopyableSound[]
  plan: PlaybackPlan
  encoded: PlaybackPlan
}

export function planBothWays(probe: Probe, quality: Quality, window?: ClipWindow): Planned {
  if (window) cutTo(window, probe)
  const { plan, facts } = planVideo(probe, quality, { window })
  const isCopied = plan.video.some(({ copied }) => copied)
  const encoded = isCopied ? planVideo(probe, quality, { allowCopy: false, window }).plan : plan
  const { chapters, subtitles, title } = probe
  const copyable = couldBePassedOn(probe)
  return { facts, chapters, subtitles, title, copyable, plan, encoded }
}

function planVideo(
  probe: Probe,
  quality: Quality,
  { allowCopy = true, window }: { allowCopy?: boolean; window?: ClipWindow } = {},
): { plan: PlaybackPlan; facts: VideoFacts } {
  const { video } = probe
  refuseMonsters(video)
  const size = displayed(video)
  const wantCopy = allowCopy && couldBeCopied(probe, quality, size)
  const { segments, end, copyable } = timelineOf(probe, wantCopy, window)
  const seconds = end / CLOCK
  const shown = shownOf(probe.pictures)
  const moving = ticks(shown.last - shown.first, video.timeBase) / CLOCK
  const framesPerSecond = moving > 0 ? (shown.count - 1) / moving : 1
  if (Math.round(framesPerSecond) > MAX_FRAMES_PER_SECOND && shown.count > 10)
    throw new UnsupportedVideo(
      `it shows ${Math.round(framesPerSecond)} pictures a second; at most ${MAX_FRAMES_PER_SECOND} are taken`,
    )
  const picture: Picture = { ...size, framesPerSecond }
  const rungs = ladder(quality, picture)
  const hdr = isHdr(video.transfer)
  return {
    plan: {
      source: {
        stream: video.index,
        timeBase: video.timeBase,
        zero: shown.first,
        hdr,
        colours: coloursOf(video),
        interlaced: video.interlaced,
        quick: canBeScaledQuickly(video),
        framesPerSecond,
        until: window && untilOf(window, video.timeBase),
      },
      segments,
      end,
      video: rungs.map((rung, i) =>
        copyable && i === rungs.length - 1
          ? copiedRendition(rung, probe, [...segments.map(({ start }) => start), end])
          : encodedRendition(rung),
      ),
      audio: probe.audio.slice(0, MAX_AUDIO).map(audioRendition),
      notes: probe.notes,
    },
    facts: {
      duration: Math.round(seconds * 1000) / 1000,
      ...size,
      bitrate: Math.round(probe.bitrate ?? (shown.bytes * 8) / Math.max(seconds, 0.001)),
      codec: video.codec,
      framerate: framerateOf(video, framesPerSecond),
      hdr,
    },
  }
}

function refuseMonsters({ width, height }: VideoStream): void {
  if (width < 1 || height < 1)
    throw new UnsupportedVideo('its pictures have no size, or one that is too large')
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS)
    throw new UnsupportedVideo(`its pictures of ${width} × ${height} are too large`)
}

/** With square pixels and upright. */
function displayed({ width, height, pixelAspect, turns }: VideoStream): { width: number; height: number } {
  const aspect = pixelAspect.num / pixelAspect.den
  // Stretched, never shrunk: no detail of the source is given away.
  const wide = aspect > 1 ? Math.round(width * aspect) : width
  const high = aspect < 1 ? Math.round(height / aspect) : height
  if (wide > MAX_SIDE || high > MAX_SIDE) throw new UnsupportedVideo('its pixels are too far from square')
  return turns % 2 === 1 ? { width: high, height: wide } : { width: wide, height: high }
}

/** zimg takes a third of swscale's time; it wants to know the colours, and sides that halve evenly. */
function canBeScaledQuickly({ pixelFormat, width, height, interlaced }: VideoStream): boolean {
  return /^yuvj?4(20|22|44)p(10le)?$/.test(pixelFormat) && width % 2 === 0 && height % 2 === 0 && !interlaced
}

/** Whether its pictures are such as every player takes. Where they can be cut is the timeline's to say. */
function couldBeCopied(
  { video, container }: Probe,
  quality: Quality,
  size: { width: number; height: number },
): boolean {
  return (
    video.codec === 'h264' &&
    /^(Constrained Baseline|Baseline|Main|High)$/.test(video.profile) &&
    video.pixelFormat === 'yuv420p' &&
    hasPlainColours(video) &&
    !video.interlaced &&
    video.turns === 0 &&
    video.pixelAspect.num === video.pixelAspect.den &&
    size.width % 2 === 0 &&
    size.height % 2 === 0 &&
    Math.min(size.width, size.height) >= 16 &&
    // Others do not tell the times at which pictures are shown.
    /mp4|matroska/.test(container) &&
    topSide(quality, { ...size, framesPerSecond: 0 }) === Math.min(size.width, size.height)
  )
}

function audioRendition(stream: AudioStream, i: number): AudioRendition {
  return {
    name: `a${i}`,
    stream: stream.index,
    channels: Math.min(2, stream.channels),
    language: stream.language,
    title: stream.title,
    isDefault: stream.isDefault,
  }
}

/** The declared rate where the pictures keep to it, the average otherwise; some files declare 57600 a second. */
function framerateOf({ averageRate, realBaseRate }: VideoStream, framesPerSecond: number): string {
  const keptTo = [realBaseRate, averageRate].find(
    ({ num, den }) => Math.abs(num / den / framesPerSecond - 1) < 0.03,
  )
  const { num, den } = keptTo ?? reduced(Math.round(framesPerSecond * 1000), 1000)
  return den === 1 ? String(num) : `${num}/${den}`
}

function reduced(num: number, den: number): Rational {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  const common = divisor(num, den)
  return { num: num / common, den: den / common }
}

const nameOf = ({ width, height }: Rung) => `v${Math.min(width, height)}`

function encodedRendition(rung: Rung): VideoRendition {
  return {
    ...rung,
    name: nameOf(rung),
    copied: false,
    // High profile without constraints.
    codec: `avc1.6400${rung.level.toString(16).padStart(2, '0')}`,
  }
}

function copiedRendition(rung: Rung, { pictures, video }: Probe, edges: number[]): VideoRendition {
  const { first } = shownOf(pictures)
  const bytes = new Array<number>(edges.length - 1).fill(SEGMENT_OVERHEAD)
  let number = 0
  for (let i = 0; i < pictures.length; i++) {
    const time = ticks(pictures.pts[i]! - first, video.timeBase)
    while (number + 1 < bytes.length && time >= edges[number + 1]! - 2) number++
    bytes[number]! += pictures.size[i]! + SAMPLE_OVERHEAD
  }
  return {
    ...rung,
    name: nameOf(rung),
    copied: true,
    codec: '',
    rates: ratesOf(edges, bytes),
  }
}

/** When the first and the last picture are shown, how many there are and what they take. */
function shownOf(pictures: Pictures) {
  const found = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY, count: 0, bytes: 0 }
  for (let i = 0; i < pictures.length; i++) {
    if (pictures.isDiscarded(i)) continue
    found.first = Math.min(found.first, pictures.pts[i]!)
    found.last = Math.max(found.last, pictures.pts[i]!)
    found.count++
    found.bytes += pictures.size[i]!
  }
  return found
}
