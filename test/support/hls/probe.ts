import { ffprobe } from '../videos/programs.ts'

export interface VideoFacts {
  codec_name: string
  profile: string
  level: number
  width: number
  height: number
  pix_fmt: string
  sample_aspect_ratio?: string
  field_order?: string
  color_space?: string
  color_transfer?: string
  color_primaries?: string
  side_data_list?: { rotation?: number }[]
}

interface AudioFacts {
  codec_name: string
  channels: number
  tags?: { language?: string }
}

/** When each frame is shown, in seconds by the file's own clock. */
export async function frameTimes(file: string): Promise<number[]> {
  const args = [
    '-select_streams',
    'V:0',
    '-show_entries',
    'frame=best_effort_timestamp_time',
    '-of',
    'csv=p=0',
  ]
  const lines = (await ffprobe([...args, file])).split('\n')
  return lines.filter((line) => /^-?\d/.test(line)).map(Number.parseFloat)
}

export async function videoFacts(file: string): Promise<VideoFacts> {
  return (await streams<VideoFacts>(file, 'V:0'))[0]!
}

export const audioFacts = (file: string) => streams<AudioFacts>(file, 'a')

async function streams<T>(file: string, which: string): Promise<T[]> {
  const text = await ffprobe(['-select_streams', which, '-show_streams', '-of', 'json', file])
  return (JSON.parse(text) as { streams: T[] }).streams
}

export const isHdr = (facts: VideoFacts) =>
  ['smpte2084', 'arib-std-b67'].includes(facts.color_transfer ?? '') || facts.color_primaries === 'bt2020'

const rotationOf = (facts: VideoFacts) =>
  facts.side_data_list?.map((data) => data.rotation ?? 0).find(Boolean) ?? 0

/** How wide a picture is for its height, once turned and with its pixels made square. */
export function shapeOf(facts: VideoFacts): number {
  const [across = 1, down = 1] = (facts.sample_aspect_ratio ?? '1:1').split(':').map(Number)
  const shape = (facts.width / facts.height) * (across && down ? across / down : 1)
  return rotationOf(facts) % 180 === 0 ? shape : 1 / shape
}

export const isTurned = (facts: VideoFacts) => rotationOf(facts) !== 0
export const isInterlaced = (facts: VideoFacts) => /^(tt|bb|tb|bt)$/.test(facts.field_order ?? '')
