import { MediaProgramFailed } from './errors.ts'
import { codecOf } from './init-segment.ts'
import type { Quality } from './ladder.ts'
import { makeVideo } from './make-video.ts'
import type { Plan, Planned, VideoFacts } from './plan.ts'
import { planInChild } from './planner/plan-in-child.ts'
import type { MediaTools } from './program.ts'

export interface Study {
  facts: VideoFacts
  chapters: Planned['chapters']
  /** A plan to look at the file by. */
  draft: Plan
  /** The plan to play it by: trying out whether it can be copied takes a moment. */
  plan: Promise<Plan>
}

/** Finds out what a file is and how it is to be played. Throws UnsupportedVideo. */
export async function studyVideo(tools: MediaTools, source: string, quality: Quality): Promise<Study> {
  const { facts, chapters, plan: draft, encoded } = await planInChild(tools, source, quality)
  // What looks as if it could be copied and cannot is encoded.
  const plan = confirmCopy(tools, source, draft).then((confirmed) => confirmed ?? encoded)
  plan.catch(() => {})
  return { facts, chapters, draft, plan }
}

/** Copies a segment: only then is it known what a player is to be told. Undefined where it cannot be copied. */
async function confirmCopy(tools: MediaTools, source: string, plan: Plan): Promise<Plan | undefined> {
  const rendition = plan.video.find((one) => one.copied)
  if (!rendition) return plan
  let codec: string | undefined
  try {
    const run = { source, plan, renditions: [rendition], first: 0, end: 1, nice: 0 }
    await makeVideo(tools, run, async ({ init }) => {
      codec = codecOf(init)
    })
  } catch (error) {
    if (!(error instanceof MediaProgramFailed)) throw error
  }
  if (codec === undefined) return undefined
  const known = { ...rendition, codec }
  return { ...plan, video: plan.video.map((one) => (one === rendition ? known : one)) }
}
