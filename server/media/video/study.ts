import { MediaProgramFailed } from './errors.ts'
import { codecOf } from './init-segment.ts'
import type { Quality } from './ladder.ts'
import { makeVideo } from './make-video.ts'
import { type Plan, planVideo, type VideoFacts } from './plan.ts'
import { type Probe, probeVideo } from './probe.ts'
import type { MediaTools } from './program.ts'

export interface Study {
  plan: Plan
  facts: VideoFacts
  chapters: Probe['chapters']
}

/** Finds out what a file is and how it is to be played. Throws UnsupportedVideo. */
export async function studyVideo(tools: MediaTools, source: string, quality: Quality): Promise<Study> {
  const probe = await probeVideo(tools, source)
  const planned = planVideo(probe, quality)
  const codec = await codecOfCopy(tools, source, planned.plan)
  // What looks as if it could be copied and cannot is encoded.
  const { plan, facts } = codec === undefined ? planVideo(probe, quality, { allowCopy: false }) : planned
  const video = plan.video.map((rendition) =>
    rendition.copied && codec ? { ...rendition, codec } : rendition,
  )
  return { plan: { ...plan, video }, facts, chapters: probe.chapters }
}

/** Tries to copy a segment: only then is it known what a player is to be told. Undefined where it cannot be. */
async function codecOfCopy(tools: MediaTools, source: string, plan: Plan): Promise<string | undefined> {
  const rendition = plan.video.find((one) => one.copied)
  if (!rendition) return ''
  let codec: string | undefined
  try {
    const run = { source, plan, renditions: [rendition], first: 0, end: 1, nice: 0 }
    await makeVideo(tools, run, async ({ init }) => {
      codec = codecOf(init)
    })
  } catch (error) {
    if (!(error instanceof MediaProgramFailed)) throw error
  }
  return codec
}
