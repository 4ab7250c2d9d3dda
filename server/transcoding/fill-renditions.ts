import { setTimeout as sleep } from 'node:timers/promises'
import type { FileId } from '../base/ids.ts'
import type { PlaybackPlan } from '../media/video/plan.ts'
import type { AudioChoice, Presentation, Rendition, VideoChoice } from './presentation.ts'
import { beginFillerRun, beginPass, LOOK_AGAIN_MS, type Making, type Run, requirePlayed } from './runs.ts'
import { madeSegments } from './store.ts'

/** On whose behalf segments are made that nobody waits for. */
export interface FillOrder {
  /** Told as some of it is done for good. */
  progressed: () => Promise<void>
  /** Breaks it off. */
  signal: AbortSignal
}

/** Long runs cost least, short ones are soonest out of a viewer's way: a minute of 30 pictures a second. */
const FILL_RUN = 15
const fillRun = ({ source }: PlaybackPlan) =>
  Math.round(FILL_RUN * Math.max(1, 30 / Math.max(1, source.framesPerSecond)))

/** When all segments of these renditions are there: sound beside pictures, the smallest pictures first. */
export async function fillRenditions(
  presentation: Presentation,
  renditions: Rendition[],
  order: FillOrder,
  making: Making,
): Promise<void> {
  // Each to its end though the other fails: whoever goes on after the job has ended would work for nobody.
  const filled = await Promise.allSettled([
    fillVideos(presentation, renditions, order, making),
    fillSounds(presentation, renditions, order, making),
  ])
  for (const outcome of filled) if (outcome.status === 'rejected') throw outcome.reason
  if (making.isClosed()) throw new Error('the service stops')
}

async function fillVideos(
  presentation: Presentation,
  renditions: Rendition[],
  order: FillOrder,
  making: Making,
): Promise<void> {
  const pictures = renditions.filter((one) => one.kind === 'video')
  const [lowest, ...others] = pictures.filter((one) => !one.video.copied)
  const copied = pictures.filter((one) => one.video.copied)
  if (lowest) await fillPictures(presentation, [lowest], order, making)
  if (copied.length > 0) await fillPictures(presentation, copied, order, making)
  // The others at once: the source is read and decoded only once for all of them.
  if (others.length > 0) await fillPictures(presentation, others, order, making)
}

async function fillPictures(
  presentation: Presentation,
  choices: VideoChoice[],
  { progressed, signal }: FillOrder,
  making: Making,
): Promise<void> {
  const { fileId, plan } = presentation
  while (!making.isClosed()) {
    signal.throwIfAborted()
    const gap = firstGap(plan, choices, await missingOf(fileId, choices, making))
    if (!gap) return
    await untilNobodyWatches(making)
    const run = beginFillerRun(presentation, gap.choices, { ...gap, progressed }, making)
    await endedOrBrokenOff(run, signal)
    if (run.failure && !run.controller.signal.aborted) throw run.failure
    // Others have claimed all of it.
    if (run.end === gap.first) await lookAgainLater(fileId, making)
  }
}

type IsMissing = (choice: VideoChoice, number: number) => boolean

async function missingOf(fileId: FileId, choices: VideoChoice[], { sql }: Making): Promise<IsMissing> {
  const kept = new Map(
    await Promise.all(
      choices.map(async ({ name }) => [name, await madeSegments(sql, fileId, name)] as const),
    ),
  )
  return ({ name }, number) => !kept.get(name)!.has(number)
}

/** The first segments that are not there, of all renditions that miss them, as many as one run is to make. */
function firstGap(plan: PlaybackPlan, choices: VideoChoice[], isMissing: IsMissing) {
  const first = plan.segments.findIndex((_, number) => choices.some((choice) => isMissing(choice, number)))
  if (first < 0) return undefined
  const together = choices.filter((choice) => isMissing(choice, first))
  const last = Math.min(first + fillRun(plan), plan.segments.length)
  let end = first + 1
  while (end < last && together.every((choice) => isMissing(choice, end))) end++
  return { choices: together, first, end }
}

/** Viewers have the machine to themselves; what is left over is taken up after them. */
async function untilNobodyWatches({ registry, isClosed }: Making): Promise<void> {
  while (registry.hasViewers() && !isClosed()) await sleep(LOOK_AGAIN_MS)
}

async function endedOrBrokenOff(run: Run, signal: AbortSignal): Promise<void> {
  const breakOff = () => run.controller.abort()
  signal.addEventListener('abort', breakOff)
  await run.ended
  signal.removeEventListener('abort', breakOff)
}

async function lookAgainLater(fileId: FileId, making: Making): Promise<void> {
  await requirePlayed(fileId, making)
  await sleep(LOOK_AGAIN_MS)
}

async function fillSounds(
  presentation: Presentation,
  renditions: Rendition[],
  order: FillOrder,
  making: Making,
): Promise<void> {
  for (const choice of renditions)
    if (choice.kind === 'audio') await fillSound(presentation, choice, order, making)
}

async function fillSound(
  presentation: Presentation,
  choice: AudioChoice,
  { progressed, signal }: FillOrder,
  making: Making,
): Promise<void> {
  const { fileId, plan } = presentation
  while (!making.isClosed()) {
    signal.throwIfAborted()
    const kept = await madeSegments(making.sql, fileId, choice.name)
    if (plan.segments.every((_, number) => kept.has(number))) return
    const run = runOfSound(fileId, choice, making) ?? beginPass(presentation, choice, making, progressed)
    await run.ended
    if (run.failure) throw run.failure
    await lookAgainLater(fileId, making)
  }
}

/** Whoever makes a sound already, from its beginning or all of it. */
function runOfSound(fileId: FileId, { name }: AudioChoice, { registry }: Making): Run | undefined {
  const isItsPass = (run: Run) => run.purpose === 'pass' && run.renditions.includes(name)
  return registry.covering(fileId, name, 0) ?? registry.ofFile(fileId).find(isItsPass)
}
