import { MediaProgramFailed } from './errors.ts'
import { codecOf } from './init-segment.ts'
import type { Quality } from './ladder.ts'
import { copyPictures } from './make-video.ts'
import type { Plan, Planned, VideoFacts } from './plan.ts'
import { planInChild } from './planner/plan-in-child.ts'
import { INPUT_GUARDS } from './probe.ts'
import { type MediaTools, runProgram } from './program.ts'
import { decodable } from './sounds.ts'

export interface Study {
  facts: VideoFacts
  chapters: Planned['chapters']
  /** A plan to look at the file by. */
  draft: Plan
  /** The plan to play it by: trying out what can be decoded and copied takes a moment. */
  plan: Promise<Plan>
}

/** Finds out what a file is and how it is to be played. Throws UnsupportedVideo. */
export async function studyVideo(tools: MediaTools, source: string, quality: Quality): Promise<Study> {
  const { facts, chapters, plan: draft, encoded } = await planInChild(tools, source, quality)
  const plan = settle()
  plan.catch(() => {})
  return { facts, chapters, draft, plan }

  async function settle(): Promise<Plan> {
    const [codec, isWhole, audio] = await Promise.all([
      codecOfCopy(tools, source, draft),
      decodes(tools, source, draft),
      decodable(tools, source, draft.audio),
    ])
    // What looks as if it could be copied and cannot is encoded: that mends what a decoder can mend.
    const isCopied = codec !== undefined && isWhole
    const video = isCopied ? draft.video.map((one) => (one.copied ? { ...one, codec } : one)) : encoded.video
    const silent = draft.audio.filter((one) => !audio.includes(one))
    const notes = [...draft.notes!, ...silent.map(({ stream }) => leftOut(stream))]
    return { ...(isCopied ? draft : encoded), video, audio, notes }
  }
}

const leftOut = (stream: number) => `the sound in stream ${stream} cannot be decoded and is left out`

/** Copies a segment: only then is it known what a player is to be told. Undefined where none is copied. */
async function codecOfCopy(tools: MediaTools, source: string, plan: Plan): Promise<string | undefined> {
  const rendition = plan.video.find((one) => one.copied)
  if (!rendition) return undefined
  let codec: string | undefined
  try {
    const run = { source, plan, renditions: [rendition], first: 0, end: 1, nice: 0 }
    await copyPictures(tools, run, rendition, async ({ init }) => {
      codec = codecOf(init)
    })
  } catch (error) {
    if (!(error instanceof MediaProgramFailed)) throw error
  }
  return codec
}

/** At each place that is tried; a key picture, and some that refer to it and to each other. */
const SAMPLE_PICTURES = 8
const LIMITS = { cpuSeconds: 60, memoryBytes: 6 * 2 ** 30 }

/**
 * Whether the pictures at the beginning, in the middle and at the end decode without an error. What is copied is
 * decoded by players, which do not all get over what a patient decoder does; encrypted pictures none.
 */
async function decodes(tools: MediaTools, source: string, plan: Plan): Promise<boolean> {
  if (!plan.video.some((one) => one.copied)) return true
  const last = plan.segments.length - 1
  const places = [...new Set([0, last >> 1, last])].map((number) => plan.segments[number]!.seek)
  const inputs = places.flatMap((seek) => [
    ...INPUT_GUARDS,
    ...(seek === undefined ? [] : ['-seek_timestamp', '1', '-ss', `${seek}us`, '-noaccurate_seek']),
    ...['-i', source],
  ])
  const outputs = places.flatMap((_, i) => [
    ...['-map', `${i}:${plan.source.stream}`, '-frames:v', String(SAMPLE_PICTURES)],
    ...['-fps_mode', 'passthrough', '-f', 'null', '-'],
  ])
  const program = runProgram(tools, {
    program: 'ffmpeg',
    args: ['-nostdin', '-v', 'error', '-xerror', '-copyts', ...inputs, ...outputs],
    inputs: [source],
    ...LIMITS,
  })
  program.stdout.resume()
  try {
    await program.ended
    return true
  } catch (error) {
    if (error instanceof MediaProgramFailed) return false
    throw error
  }
}
