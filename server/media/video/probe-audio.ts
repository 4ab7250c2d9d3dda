import { open } from 'node:fs/promises'
import { MediaProgramFailed, UnsupportedVideo } from './errors.ts'
import { type MediaTools, outputOf } from './program.ts'
import { id3Length } from './tags/blank-id3.ts'

export type AudioFormat = 'mp3' | 'opus' | 'flac' | 'wav' | 'ac3' | 'm4a' | 'aac'

/** The one reader that ffmpeg may open each of them with. */
const READERS: Record<AudioFormat, string> = {
  mp3: 'mp3',
  opus: 'ogg',
  flac: 'flac',
  wav: 'wav',
  ac3: 'ac3',
  m4a: 'mov',
  aac: 'aac',
}

const ACCEPTED = 'send MP3, Opus, FLAC, WAV, AC-3, M4A or AAC'
const MAX_STREAMS = 16
const MAX_OUTPUT = 2 ** 20
const LIMITS = { cpuSeconds: 60, memoryBytes: 2 ** 30 }

/** Before an input of this format: no network, no other files, no other formats. */
export function audioGuards(format: AudioFormat): string[] {
  return ['-protocol_whitelist', 'file', '-format_whitelist', READERS[format]]
}

/** What an audio file is, judged by its content alone. Throws UnsupportedVideo for everything else. */
export async function probeAudio(
  tools: MediaTools,
  path: string,
  signal?: AbortSignal,
): Promise<{ format: AudioFormat; duration: number | undefined }> {
  const format = await sniffAudio(path)
  if (!format) throw new UnsupportedVideo(`it is not an audio file that is taken; ${ACCEPTED}`)
  const { streams = [], format: container } = await describe(tools, path, format, signal)
  if (streams.length > MAX_STREAMS)
    throw new UnsupportedVideo(`it has ${streams.length} streams; at most ${MAX_STREAMS} are taken`)
  if (streams.some((stream) => stream.codec_type === 'video' && !stream.disposition?.attached_pic))
    throw new UnsupportedVideo('it is a video; send its sound alone')
  if (!streams.some((stream) => stream.codec_type === 'audio'))
    throw new UnsupportedVideo('it has no audio stream')
  await requireSound(tools, path, format, signal)
  const duration = Number(container?.duration)
  return { format, duration: duration > 0 ? duration : undefined }
}

interface AudioDescription {
  streams?: { codec_type?: string; disposition?: { attached_pic?: number } }[]
  format?: { duration?: string }
}

async function describe(tools: MediaTools, path: string, format: AudioFormat, signal?: AbortSignal) {
  const entries = 'format=duration:stream=codec_type:stream_disposition=attached_pic'
  const args = ['-v', 'error', ...audioGuards(format), '-of', 'json', '-show_entries', entries, '-i', path]
  const run = { program: 'ffprobe' as const, args, inputs: [path], signal, ...LIMITS }
  const output = await outputOf(tools, run, MAX_OUTPUT).catch(asUnsupported(format, signal))
  return JSON.parse(output.toString()) as AudioDescription
}

/** Decodes the first second: a header alone does not make a sound. */
async function requireSound(tools: MediaTools, path: string, format: AudioFormat, signal?: AbortSignal) {
  const input = ['-v', 'error', '-xerror', '-nostdin', '-threads', '1', ...audioGuards(format), '-i', path]
  const output = ['-map', '0:a:0', '-t', '1', '-ac', '1', '-ar', '8000', '-f', 's16le', 'pipe:1']
  const run = { program: 'ffmpeg' as const, args: [...input, ...output], inputs: [path], signal, ...LIMITS }
  const sound = await outputOf(tools, run, MAX_OUTPUT).catch(asUnsupported(format, signal))
  if (sound.length === 0) throw new UnsupportedVideo('it has no sound in it')
}

function asUnsupported(format: AudioFormat, signal: AbortSignal | undefined) {
  return (error: unknown): never => {
    if (signal?.aborted || !(error instanceof MediaProgramFailed)) throw error
    throw new UnsupportedVideo(`it begins like ${format.toUpperCase()}, but cannot be decoded; it is damaged`)
  }
}

const HEAD_BYTES = 512
const MAX_TAGS = 8

/** The format that a file begins with; tags may come before it. */
async function sniffAudio(path: string): Promise<AudioFormat | undefined> {
  const file = await open(path)
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    for (let tags = 0, at = 0; tags < MAX_TAGS; tags++) {
      const { bytesRead } = await file.read(head, 0, HEAD_BYTES, at)
      const start = head.subarray(0, bytesRead)
      const tag = id3Length(start)
      // After a tag come frames of whatever size, often with zeros before them.
      if (tag === 0) return formatOf(start) ?? (tags > 0 ? 'mp3' : undefined)
      at += tag
    }
    return undefined
  } finally {
    await file.close()
  }
}

function formatOf(head: Buffer): AudioFormat | undefined {
  if (isText(head, 0, 'OggS')) return head.includes('OpusHead') ? 'opus' : undefined
  if (isText(head, 0, 'fLaC')) return 'flac'
  if ((isText(head, 0, 'RIFF') || isText(head, 0, 'RF64')) && isText(head, 8, 'WAVE')) return 'wav'
  if (isText(head, 4, 'ftyp')) return 'm4a'
  const [first = 0, second = 0] = head
  if (first === 0x0b && second === 0x77) return 'ac3'
  // Both begin with eleven ones or more; then come version and layer, and AAC has none of the layers.
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined
  if ((second & 0xf6) === 0xf0) return 'aac'
  return (second & 0x06) === 0x02 ? 'mp3' : undefined
}

function isText(head: Buffer, at: number, text: string): boolean {
  return head.toString('latin1', at, at + text.length) === text
}
