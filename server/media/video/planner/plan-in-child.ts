import { MediaProgramFailed, UnsupportedVideo } from '../errors.ts'
import type { Quality } from '../ladder.ts'
import type { Planned } from '../plan.ts'
import { describeVideo, listPictures } from '../probe.ts'
import type { MediaTools, RunningProgram } from '../program.ts'
import { type Planner, startPlanner } from './start-planner.ts'

/**
 * Finds out what a file is and how it can be played. What its index claims is read by a child, whose memory is
 * limited and given back when it ends; what comes out is a plan, whose length is bounded. Throws UnsupportedVideo.
 */
export async function planInChild(tools: MediaTools, source: string, quality: Quality): Promise<Planned> {
  const done = new AbortController()
  const { signal } = done
  // All at once: the start of each takes longer than most of what they do here.
  const describing = describeVideo(tools, source, signal)
  describing.catch(() => {})
  const working: Promise<unknown>[] = [describing]
  try {
    await using planner = await startPlanner(tools.sandbox, source)
    const telling = describing.then((about) => planner.tell({ task: { quality } }, about))
    const listen = async (): Promise<Planned> => {
      const { said, payload } = await planner.hear()
      if ('refusal' in said) throw new UnsupportedVideo(said.refusal)
      if ('planned' in said) return JSON.parse(payload.toString()) as Planned
      const listing = listPictures(tools, source, signal)
      working.push(listing.ended)
      return Promise.race([unlessItFails(passOn({ listing, planner, after: telling })), listen()])
    }
    return await Promise.race([unlessItFails(telling), listen()])
  } finally {
    done.abort()
    await Promise.allSettled(working)
  }
}

/** Never resolves: how the work goes is of interest only where it fails. */
async function unlessItFails(work: Promise<unknown>): Promise<never> {
  await work
  return new Promise(() => {})
}

interface ToList {
  listing: RunningProgram
  planner: Planner
  after: Promise<void>
}

/** Passes a listing on to the planner piece by piece, as fast as it takes them. */
async function passOn({ listing, planner, after }: ToList): Promise<void> {
  await after
  try {
    for await (const chunk of listing.stdout) await planner.tell({ listing: 'more' }, chunk)
    await listing.ended
  } catch (error) {
    if (!(error instanceof MediaProgramFailed)) throw error
    throw new UnsupportedVideo('its pictures cannot be read to the end')
  }
  await planner.tell({ listing: 'end' })
}
