import { audioFacts, frameTimes, type VideoFacts, videoFacts } from './probe.ts'
import { readTimeline, type Timeline } from './timeline.ts'

/** What the source shows and sounds like, found out when asked and not twice. */
export interface Source {
  file: string
  video: VideoFacts
  /** When frames are shown, by the source's own clock. */
  times: number[]
  languages: (string | undefined)[]
  /** The sound of its nth audio stream, from the first frame on. */
  sound(stream: number): Promise<Timeline>
}

const known = new Map<string, Promise<Source>>()

export function readSource(file: string, audioFile = file): Promise<Source> {
  const key = `${file}\n${audioFile}`
  const source = known.get(key) ?? read(file, audioFile)
  known.set(key, source)
  return source
}

async function read(file: string, audioFile: string): Promise<Source> {
  const [times, video, audio] = await Promise.all([frameTimes(file), videoFacts(file), audioFacts(audioFile)])
  // A file that has nothing but sound knows no first frame; its clock is taken as it is.
  const zero = audioFile === file ? times[0]! : 0
  const sounds: Promise<Timeline>[] = []
  return {
    file,
    video,
    times,
    languages: audio.map((stream) => stream.tags?.language),
    sound(stream) {
      sounds[stream] ??= readTimeline(audioFile, stream, { zero, rounded: 0.025 })
      return sounds[stream]
    },
  }
}
