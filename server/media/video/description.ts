import { UnsupportedVideo } from './errors.ts'
import type { Pictures } from './pictures.ts'

export interface Rational {
  num: number
  den: number
}

export interface VideoStream {
  index: number
  codec: string
  profile: string
  pixelFormat: string
  /** As coded. */
  width: number
  height: number
  pixelAspect: Rational
  /** Clockwise, in quarter turns. */
  turns: number
  timeBase: Rational
  averageRate: Rational
  realBaseRate: Rational
  interlaced: boolean
  /** As it names its colours; empty where it does not. */
  transfer: string
  matrix: string
  primaries: string
  /** How many packets the container says there are, where it does. */
  declaredPackets: number | undefined
  bitrate: number | undefined
}

export interface AudioStream {
  index: number
  codec: string
  profile: string
  sampleRate: number
  channels: number
  bitrate: number | undefined
  language: string
  title: string
  isDefault: boolean
  /** Seconds on the container's clock, where it tells. */
  end: number | undefined
}

/** Subtitles in a file, as text. */
export interface SubtitleStream {
  index: number
  language: string
  title: string
}

/** What a file says about itself, and its pictures. */
export interface Probe extends MediaDescription {
  pictures: Pictures
}

export interface MediaDescription {
  container: string
  duration: number | undefined
  bitrate: number | undefined
  video: VideoStream
  audio: AudioStream[]
  subtitles: SubtitleStream[]
  chapters: { title: string; start: number; end: number }[]
  /** What it calls itself; empty where it does not. */
  title: string
  /** What is not taken of it, and why. */
  notes: string[]
}

interface RawStream {
  index: number
  codec_type?: string
  codec_name?: string
  codec_tag_string?: string
  profile?: string
  pix_fmt?: string
  width?: number
  height?: number
  sample_aspect_ratio?: string
  time_base?: string
  avg_frame_rate?: string
  r_frame_rate?: string
  field_order?: string
  color_transfer?: string
  color_space?: string
  color_primaries?: string
  nb_frames?: string
  bit_rate?: string
  channels?: number
  sample_rate?: string
  start_time?: string
  duration?: string
  disposition?: { attached_pic?: number; default?: number }
  tags?: Record<string, string>
  side_data_list?: { rotation?: number }[]
}

export interface RawDescription {
  format?: {
    format_name?: string
    duration?: string
    bit_rate?: string
    tags?: Record<string, string>
  }
  streams?: RawStream[]
  chapters?: { start_time: string; end_time: string; tags?: { title?: string } }[]
}

const MAX_CHAPTERS = 2000
/** Longer than anybody reads; a file may have megabytes of them. */
const MAX_TITLE = 200
const MAX_SUBTITLES = 32
/** Kinds of subtitles that are text; others are pictures of it. */
const TEXT_SUBTITLES = ['subrip', 'srt', 'ass', 'ssa', 'webvtt', 'mov_text', 'text']

/** Understands what ffprobe tells of a file. Throws UnsupportedVideo. */
export function readDescription(about: RawDescription): MediaDescription {
  const streams = about.streams ?? []
  if (streams.length === 0) throw new UnsupportedVideo('its index is missing: the file is cut off')
  const raw = streams.find((stream) => stream.codec_type === 'video' && !stream.disposition?.attached_pic)
  if (!raw) throw new UnsupportedVideo('it has no video stream')
  if (isEncrypted(raw)) throw new UnsupportedVideo(ENCRYPTED)
  const sounds = streams.filter((stream) => stream.codec_type === 'audio')
  const isTaken = (stream: RawStream) => stream.codec_name && !isEncrypted(stream)
  const written = streams.filter((stream) => stream.codec_type === 'subtitle')
  const isText = (stream: RawStream) =>
    TEXT_SUBTITLES.includes(stream.codec_name ?? '') && !isEncrypted(stream)
  return {
    container: about.format?.format_name ?? '',
    duration: seconds(about.format?.duration),
    bitrate: seconds(about.format?.bit_rate),
    video: videoStream(raw),
    audio: sounds.filter(isTaken).map(audioStream),
    subtitles: written.filter(isText).slice(0, MAX_SUBTITLES).map(subtitleStream),
    notes: [
      ...sounds
        .filter((stream) => !isTaken(stream))
        .map(
          (stream) =>
            `the sound in stream ${stream.index} is ${isEncrypted(stream) ? 'encrypted' : 'of an unknown kind'} and is left out`,
        ),
      ...written
        .filter((stream) => !isText(stream))
        .map(({ index }) => `the subtitles in stream ${index} are pictures, not text, and are left out`),
    ],
    title: (about.format?.tags?.title ?? '').slice(0, MAX_TITLE),
    chapters: (about.chapters ?? []).slice(0, MAX_CHAPTERS).map((chapter) => ({
      title: (chapter.tags?.title ?? '').slice(0, MAX_TITLE),
      start: Number(chapter.start_time),
      end: Number(chapter.end_time),
    })),
  }
}

export const ENCRYPTED = 'it is encrypted; send it without its protection'

/** By common encryption or one of its forerunners; Matroska tells the key's name instead. */
function isEncrypted({ codec_tag_string = '', tags = {} }: RawStream): boolean {
  return /^(enc[avts]|drm[is])$/.test(codec_tag_string) || tags.enc_key_id !== undefined
}

function videoStream(raw: RawStream): VideoStream {
  const rotation = raw.side_data_list?.find((data) => data.rotation !== undefined)?.rotation ?? 0
  return {
    index: raw.index,
    codec: raw.codec_name ?? '',
    profile: raw.profile ?? '',
    pixelFormat: raw.pix_fmt ?? '',
    width: raw.width ?? 0,
    height: raw.height ?? 0,
    pixelAspect: rational(raw.sample_aspect_ratio?.replace(':', '/')) ?? { num: 1, den: 1 },
    turns: ((Math.round(-rotation / 90) % 4) + 4) % 4,
    timeBase: rational(raw.time_base) ?? { num: 1, den: 1000 },
    averageRate: rational(raw.avg_frame_rate) ?? { num: 0, den: 1 },
    realBaseRate: rational(raw.r_frame_rate) ?? { num: 0, den: 1 },
    interlaced: ['tt', 'bb', 'tb', 'bt'].includes(raw.field_order ?? ''),
    transfer: raw.color_transfer ?? '',
    matrix: raw.color_space ?? '',
    primaries: raw.color_primaries ?? '',
    declaredPackets: raw.nb_frames === undefined ? undefined : Number(raw.nb_frames),
    bitrate: seconds(raw.bit_rate),
  }
}

function audioStream(raw: RawStream): AudioStream {
  const length = seconds(raw.duration)
  return {
    index: raw.index,
    codec: raw.codec_name ?? '',
    profile: raw.profile ?? '',
    sampleRate: Number(raw.sample_rate ?? 0),
    channels: raw.channels ?? 2,
    bitrate: seconds(raw.bit_rate),
    language: (raw.tags?.language ?? '').slice(0, MAX_TITLE),
    title: (raw.tags?.title ?? '').slice(0, MAX_TITLE),
    isDefault: raw.disposition?.default === 1,
    end: length === undefined ? clockTime(raw.tags?.DURATION) : (seconds(raw.start_time) ?? 0) + length,
  }
}

function subtitleStream({ index, tags }: RawStream): SubtitleStream {
  return {
    index,
    language: (tags?.language ?? '').slice(0, MAX_TITLE),
    title: (tags?.title ?? '').slice(0, MAX_TITLE),
  }
}

function rational(text: string | undefined): Rational | undefined {
  const [num, den] = (text ?? '').split('/').map(Number)
  return num && den ? { num, den } : undefined
}

function seconds(text: string | undefined): number | undefined {
  const value = Number(text)
  return text === undefined || !Number.isFinite(value) ? undefined : value
}

/** `00:01:02.500000000`, as Matroska tells where a stream ends. */
function clockTime(text: string | undefined): number | undefined {
  const parts = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(text ?? '')
  return parts ? Number(parts[1]) * 3600 + Number(parts[2]) * 60 + Number(parts[3]) : undefined
}
