import { MediaProgramFailed } from './errors.ts'
import { codecOf } from './init-segment.ts'
import type { Quality } from './ladder.ts'
import { copyPictures } from './make-video.ts'
import type { Plan, Planned, VideoFacts } from './plan.ts'
import { planInChild } from './planner/plan-in-child.ts'
import type { MediaTools } from './program.ts'
import { tryOut } from './try-out.ts'

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
    const [codec, { pictures, sounds: audio }] = await Promise.all([
      codecOfCopy(tools, source, draft),
      tryOut(tools, source, draft),
    ])
    // What looks as if it could be copied and cannot is encoded: that mends what a decoder can mend.
    const isCopied = codec !== undefined && pictures
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
