import { setTimeout as sleep } from 'node:timers/promises'
import type { FileId } from '../base/ids.ts'
import type { PlaybackPlan } from '../media/video/plan.ts'
import type { AudioChoice, Presentation, Rendition, VideoChoice } from './presentation.ts'
import { beginFillerRun, beginPass, LOOK_AGAIN_MS, type Making, type Run, requirePlayed } from './runs.ts'
import { claimedSegments, madeSegments } from './store.ts'

/** On whose behalf segments are made that nobody waits for. */
export interface FillOrder {
  /** Told as some of it is done for good. */
  progressed: () => Promise<void>
  /** Breaks it off. */
  signal: AbortSignal
}

/** Long runs cost least, short ones are soonest out of a viewer's way: a minute of 30 pictures a second. */
const FILL_RUN = 15
/** What the first run is of a long one: a start of ffmpeg more for each film. */
const FIRST_SHARE = 4
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

/** The part of a fill that several workers share: pictures, until nobody has to begin any more of them. */
export async function helpToFill(
  presentation: Presentation,
  renditions: Rendition[],
  order: Pick<FillOrder, 'signal'>,
  making: Making,
): Promise<void> {
  const { fileId } = presentation
  await fillPictures(presentation, groupsOf(renditions), { ...order, progressed: async () => {} }, making, {
    // What others make is theirs to wait for.
    whenAllAreClaimed: async () => false,
    whenOthersWereFaster: () => lookAgainLater(fileId, making),
  })
}

async function fillVideos(
  presentation: Presentation,
  renditions: Rendition[],
  order: FillOrder,
  making: Making,
): Promise<void> {
  const wait = () => lookAgainLater(presentation.fileId, making)
  await fillPictures(presentation, groupsOf(renditions), order, making, {
    whenAllAreClaimed: async () => {
      await wait()
      return true
    },
    whenOthersWereFaster: wait,
  })
}

/** What is made together, in the order in which it is made. */
function groupsOf(renditions: Rendition[]): VideoChoice[][] {
  const pictures = renditions.filter((one) => one.kind === 'video')
  const [lowest, ...others] = pictures.filter((one) => !one.video.copied)
  const copied = pictures.filter((one) => one.video.copied)
  // The others at once: the source is read and decoded only once for all of them.
  return [lowest ? [lowest] : [], copied, others].filter((group) => group.length > 0)
}

interface Manners {
  /** Answers whether to look again. */
  whenAllAreClaimed(): Promise<boolean>
  whenOthersWereFaster(): Promise<void>
}

async function fillPictures(
  presentation: Presentation,
  groups: VideoChoice[][],
  { progressed, signal }: FillOrder,
  making: Making,
  { whenAllAreClaimed, whenOthersWereFaster }: Manners,
): Promise<void> {
  const left = [...groups]
  const names = groups.flat().map(({ name }) => name)
  for (let isFirst = true; !making.isClosed(); isFirst = false) {
    signal.throwIfAborted()
    const gap = await nextGap(presentation, { left, names, isFirst }, making)
    if (left.length === 0) return
    if (!gap) {
      if (await whenAllAreClaimed()) continue
      return
    }
    await untilNobodyWatches(making)
    const run = beginFillerRun(presentation, gap.choices, { ...gap, progressed }, making)
    await endedOrBrokenOff(run, signal)
    if (run.failure && !run.controller.signal.aborted) throw run.failure
    if (run.end === gap.first) await whenOthersWereFaster()
  }
}

/** What nobody has made or begun, of the first group that has such; groups that are made are taken off the list. */
async function nextGap(
  { fileId, plan }: Presentation,
  { left, names, isFirst }: { left: VideoChoice[][]; names: string[]; isFirst: boolean },
  { sql }: Making,
) {
  for (const choices of [...left]) {
    const isMissing = await missingOf(fileId, choices, sql)
    const isMade = plan.segments.every((_, number) => !choices.some((choice) => isMissing(choice, number)))
    if (isMade) {
      left.splice(left.indexOf(choices), 1)
      continue
    }
    const { isClaimed, makers } = await claimedSegments(sql, fileId, names)
    const isFree: IsMissing = (choice, number) => isMissing(choice, number) && !isClaimed(choice.name, number)
    const gap = firstGap(plan, choices, isFree, (free) => runLength(plan, { free, makers, isFirst }))
    if (gap) return gap
  }
  return undefined
}

type IsMissing = (choice: VideoChoice, number: number) => boolean

async function missingOf(fileId: FileId, choices: VideoChoice[], sql: Making['sql']): Promise<IsMissing> {
  const kept = new Map(
    await Promise.all(
      choices.map(async ({ name }) => [name, await madeSegments(sql, fileId, name)] as const),
    ),
  )
  return ({ name }, number) => !kept.get(name)!.has(number)
}

/** The first free segments of all renditions that miss them, as many as one run is to make. */
function firstGap(
  plan: PlaybackPlan,
  choices: VideoChoice[],
  isFree: IsMissing,
  lengthOf: (free: number) => number,
) {
  const free = plan.segments.flatMap((_, number) =>
    choices.some((choice) => isFree(choice, number)) ? [number] : [],
  )
  const [first] = free
  if (first === undefined) return undefined
  const together = choices.filter((choice) => isFree(choice, first))
  const last = Math.min(first + lengthOf(free.length), plan.segments.length)
  let end = first + 1
  while (end < last && together.every((choice) => isFree(choice, end))) end++
  return { choices: together, first, end }
}

/**
 * With others at work on it runs get shorter towards the end, so that all of them end together. Who makes the first run
 * does not know yet how many they are: were it long, all would wait for its end.
 */
function runLength(
  plan: PlaybackPlan,
  { free, makers, isFirst }: { free: number; makers: number; isFirst: boolean },
): number {
  const longest = isFirst ? Math.ceil(fillRun(plan) / FIRST_SHARE) : fillRun(plan)
  if (makers === 0) return longest
  return Math.min(longest, Math.ceil(free / (2 * (makers + 1))))
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
