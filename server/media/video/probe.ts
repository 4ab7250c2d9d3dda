import { createInterface } from 'node:readline'
import { MediaProgramFailed, UnsupportedVideo } from './errors.ts'
import { MAX_PICTURES, type Mp4Index, readMp4Index } from './mp4-index.ts'
import { type MediaTools, outputOf, runProgram } from './program.ts'

/** The containers that are taken, as ffmpeg calls the readers of them. Nothing else is ever opened. */
export const CONTAINERS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi'
/**
 * Before every input: no network, no other files, no formats that name other files, and no picture of
 * which only the beginning is there.
 */
export const INPUT_GUARDS = [
  ...['-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS],
  ...['-fflags', '+discardcorrupt'],
]

export interface Rational {
  num: number
  den: number
}

/** A coded picture as its container lists it, in the order of decoding; times in the stream's clock. */
export interface Packet {
  pts: number
  dts: number
  duration: number
  size: number
  key: boolean
  /** Decoded, but cut away by the container's edit list. */
  discarded: boolean
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
  transfer: string
  /** How many packets the container says there are, where it does. */
  declaredPackets: number | undefined
  bitrate: number | undefined
}

export interface AudioStream {
  index: number
  codec: string
  channels: number
  language: string
  title: string
  isDefault: boolean
  /** Seconds on the container's clock, where it tells. */
  end: number | undefined
}

export interface Probe {
  container: string
  duration: number | undefined
  bitrate: number | undefined
  video: VideoStream
  audio: AudioStream[]
  chapters: { title: string; start: number; end: number }[]
  packets: Packet[]
}

const MAX_STREAMS = 64
const PROBE_GUARDS = [...INPUT_GUARDS, '-max_streams', String(MAX_STREAMS)]
const MAX_DESCRIPTION_BYTES = 16 * 2 ** 20
const LIMITS = { memoryBytes: 2 * 2 ** 30 }

/** Reads what a file says about itself and lists its pictures. Throws UnsupportedVideo. */
export async function probeVideo(tools: MediaTools, path: string, signal?: AbortSignal): Promise<Probe> {
  const refused = new AbortController()
  const list = () =>
    listPackets(tools, path, signal ? AbortSignal.any([signal, refused.signal]) : refused.signal)
  const indexing = readMp4Index(path)
  // Both programs at once: their start takes longer than most of what they do here.
  const listing = indexing.then((index) => (index ? undefined : list()))
  listing.catch(() => {})
  try {
    return await judge(await describe(tools, path, signal), async (video) => {
      const index = await indexing
      return index && agrees(index, video) ? index : ((await listing) ?? (await list()))
    })
  } finally {
    refused.abort()
    await listing.catch(() => {})
  }
}

interface Listing {
  packets: Packet[]
  /** With those that are empty. */
  listed: number
}

/** Whether the program reads the same track by the same clock. */
function agrees({ listed, timescale }: Mp4Index, { timeBase, declaredPackets }: VideoStream): boolean {
  return timeBase.num === 1 && timeBase.den === timescale && declaredPackets === listed
}

async function judge(about: RawDescription, list: (video: VideoStream) => Promise<Listing>): Promise<Probe> {
  const streams = (about.streams ?? []) as RawStream[]
  if (streams.length === 0) throw new UnsupportedVideo('its index is missing: the file is cut off')
  const raw = streams.find((stream) => stream.codec_type === 'video' && !stream.disposition?.attached_pic)
  if (!raw) throw new UnsupportedVideo('it has no video stream')
  const video = videoStream(raw)
  const { packets, listed } = await list(video)
  if (packets.length === 0) throw new UnsupportedVideo('it has no pictures')
  // Others count what is not there: AVI has slots for pictures that were left out.
  const declared = about.format?.format_name?.includes('mp4') ? video.declaredPackets : undefined
  if (declared !== undefined && listed < declared)
    throw new UnsupportedVideo('it ends before its last picture: the file is cut off')
  return {
    container: about.format?.format_name ?? '',
    duration: seconds(about.format?.duration),
    bitrate: seconds(about.format?.bit_rate),
    video,
    audio: streams.filter((stream) => stream.codec_type === 'audio' && stream.codec_name).map(audioStream),
    chapters: (about.chapters ?? []).map((chapter) => ({
      title: chapter.tags?.title ?? '',
      start: Number(chapter.start_time),
      end: Number(chapter.end_time),
    })),
    packets,
  }
}

interface RawStream {
  index: number
  codec_type?: string
  codec_name?: string
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
  nb_frames?: string
  bit_rate?: string
  channels?: number
  start_time?: string
  duration?: string
  disposition?: { attached_pic?: number; default?: number }
  tags?: Record<string, string>
  side_data_list?: { rotation?: number }[]
}

interface RawDescription {
  format?: { format_name?: string; duration?: string; bit_rate?: string }
  streams?: RawStream[]
  chapters?: { start_time: string; end_time: string; tags?: { title?: string } }[]
}

async function describe(tools: MediaTools, path: string, signal?: AbortSignal): Promise<RawDescription> {
  const sections = ['-show_format', '-show_streams', '-show_chapters']
  const args = ['-v', 'error', ...PROBE_GUARDS, '-of', 'json', ...sections, '-i', path]
  const run = { program: 'ffprobe' as const, args, inputs: [path], cpuSeconds: 60, signal, ...LIMITS }
  try {
    return JSON.parse((await outputOf(tools, run, MAX_DESCRIPTION_BYTES)).toString())
  } catch (error) {
    if (signal?.aborted || !(error instanceof MediaProgramFailed)) throw error
    if (error.message.includes('max_streams'))
      throw new UnsupportedVideo(`it has more than ${MAX_STREAMS} streams`)
    throw new UnsupportedVideo('it is not a readable MP4, MOV, AVI, WebM or MKV file')
  }
}

/** Of the first video stream that is not a cover picture. */
async function listPackets(tools: MediaTools, path: string, signal: AbortSignal): Promise<Listing> {
  const fields = 'packet=pts,dts,duration,size,flags'
  const args = ['-v', 'error', ...PROBE_GUARDS, '-of', 'compact=p=0:nk=1', '-select_streams', 'V:0']
  const { stdout, ended, kill } = runProgram(tools, {
    program: 'ffprobe',
    args: [...args, '-show_entries', fields, '-i', path],
    inputs: [path],
    cpuSeconds: 300,
    signal,
    ...LIMITS,
  })
  const packets: Packet[] = []
  let listed = 0
  for await (const line of createInterface(stdout)) {
    listed++
    const packet = readPacket(line, packets.at(-1))
    if (packet) packets.push(packet)
    if (listed > MAX_PICTURES) kill('too many pictures')
  }
  if (listed > MAX_PICTURES) throw new UnsupportedVideo(`it has more than ${MAX_PICTURES} pictures`)
  await ended.catch((error) => {
    if (signal.aborted || !(error instanceof MediaProgramFailed)) throw error
    throw new UnsupportedVideo('its pictures cannot be read to the end')
  })
  return { packets, listed }
}

function readPacket(line: string, last: Packet | undefined): Packet | undefined {
  const [pts, dts, duration, size, flags = ''] = line.split('|')
  if (!size || Number(size) === 0) return undefined
  const decoded = whole(dts) ?? whole(pts) ?? (last ? last.dts + Math.max(last.duration, 1) : 0)
  return {
    pts: whole(pts) ?? decoded,
    dts: decoded,
    duration: whole(duration) ?? 0,
    size: Number(size),
    key: flags.startsWith('K'),
    discarded: flags[1] === 'D',
  }
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
    declaredPackets: raw.nb_frames === undefined ? undefined : Number(raw.nb_frames),
    bitrate: seconds(raw.bit_rate),
  }
}

function audioStream(raw: RawStream): AudioStream {
  const length = seconds(raw.duration)
  return {
    index: raw.index,
    codec: raw.codec_name ?? '',
    channels: raw.channels ?? 2,
    language: raw.tags?.language ?? '',
    title: raw.tags?.title ?? '',
    isDefault: raw.disposition?.default === 1,
    end: length === undefined ? clockTime(raw.tags?.DURATION) : (seconds(raw.start_time) ?? 0) + length,
  }
}

function rational(text: string | undefined): Rational | undefined {
  const [num, den] = (text ?? '').split('/').map(Number)
  return num && den ? { num, den } : undefined
}

function whole(text: string | undefined): number | undefined {
  const value = Number(text)
  return text === undefined || text === '' || !Number.isSafeInteger(value) ? undefined : value
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
