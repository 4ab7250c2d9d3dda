import { notFound } from '../base/errors.ts'
import type { FileId, ProjectId } from '../base/ids.ts'
import { newIdSuffix } from '../base/ids.ts'
import { audioEdges } from '../media/video/make-audio.ts'
import type { MadeSegment } from '../media/video/make-video.ts'
import { ratesOf } from '../media/video/rates.ts'
import { ObjectExists } from '../platform/objects/errors.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { addStoredBytes, holdFiles, initKey, segmentKey } from '../uploads/index.ts'
import type { SegmentProducer } from './port.ts'
import {
  type AudioChoice,
  edgesOf,
  type Presentation,
  type Rendition,
  type VideoChoice,
} from './presentation.ts'
import type { Run, RunRegistry } from './runs.ts'
import {
  addRates,
  claimSegments,
  INIT,
  insertSegments,
  isWanted,
  madeSegments,
  releaseClaims,
  renewClaims,
  WHOLE,
} from './store.ts'

export interface EncodeDeps {
  sql: Sql
  objects: ObjectStore
  producer: SegmentProducer
}

const CLAIM_SECONDS = 15

/** Carries encode runs out: claims their segments among all processes, has them made, and keeps each as it comes. */
export function runEncoder(deps: EncodeDeps, registry: RunRegistry) {
  const { sql, producer } = deps
  let count = 0

  /** Holds claims while `work` goes on. */
  async function holding(work: (holder: string) => Promise<void>): Promise<void> {
    const holder = newIdSuffix()
    const renewal = setInterval(
      () => renewClaims(sql, holder, CLAIM_SECONDS).catch(() => {}),
      (CLAIM_SECONDS * 1000) / 3,
    )
    try {
      await work(holder)
    } finally {
      clearInterval(renewal)
      await releaseClaims(sql, holder).catch(() => {})
    }
  }

  /** Claims as many of a run's segments as can be made together, and shortens the run to them. */
  async function claim(run: Run, holder: string): Promise<boolean> {
    const { fileId, renditions, first, end } = run
    const got = await claimSegments(sql, { fileId, renditions, first, end, holder }, CLAIM_SECONDS)
    const held = new Set(got.map(({ rendition, number }) => `${rendition} ${number}`))
    run.renditions = renditions.filter((rendition) => held.has(`${rendition} ${first}`))
    let until = first
    while (until < end && run.renditions.every((rendition) => held.has(`${rendition} ${until}`))) until++
    run.end = run.renditions.length > 0 ? until : first
    return run.end > first
  }

  /** Claims one segment of a sound; `WHOLE` stands for the right to a pass over all of it. */
  async function claimSound({ fileId, renditions }: Run, number: number, holder: string): Promise<boolean> {
    const wanted = { fileId, renditions, first: number, end: number + 1, holder }
    return (await claimSegments(sql, wanted, CLAIM_SECONDS)).length > 0
  }

  async function keep(
    presentation: Presentation,
    run: Run,
    holder: string,
    made: MadeSegment,
  ): Promise<void> {
    count++
    const { progressed } = run
    run.progressed = undefined
    const isFirst = run.next.get(made.rendition) === run.first
    await keepSegment({ ...presentation, holder, isFirst, progressed }, made, deps)
    registry.announce(run, made.rendition, made.number)
  }

  /** What does not come to it here, by a crash or an outage, the fill job does at its end. */
  async function settleAtEnd(presentation: Presentation, choice: Rendition, run: Run, number: number) {
    if (number === run.end - 1) await settleRendition(presentation, choice, sql).catch(() => {})
  }

  function orderOf(presentation: Presentation, run: Run) {
    const { first, end, purpose, controller } = run
    return { presentation, first, end, purpose, signal: controller.signal }
  }

  async function makePictures(presentation: Presentation, choices: VideoChoice[], run: Run): Promise<void> {
    await holding(async (holder) => {
      if (!(await claim(run, holder))) return
      const renditions = choices.map(({ video }) => video).filter(({ name }) => run.renditions.includes(name))
      await producer.makePictures({ ...orderOf(presentation, run), renditions }, async (made) => {
        await keep(presentation, run, holder, made)
        const choice = choices.find(({ name }) => name === made.rendition)!
        await settleAtEnd(presentation, choice, run, made.number)
      })
    })
  }

  /** A pass over all of a sound, or, where it has run far ahead of one, over what a viewer needs of it. */
  async function makeSound(presentation: Presentation, choice: AudioChoice, run: Run): Promise<void> {
    const isPass = run.purpose === 'pass'
    await holding(async (holder) => {
      if (!(isPass ? await claimSound(run, WHOLE, holder) : await claim(run, holder))) return
      await producer.makeSound({ ...orderOf(presentation, run), choice }, async (made) => {
        // Others make segments that a pass has not come to yet.
        const isMine = !isPass || (await claimSound(run, made.number, holder))
        if (isMine) await keep(presentation, run, holder, made)
        else registry.announce(run, made.rendition, made.number)
        await settleAtEnd(presentation, choice, run, made.number)
      })
    })
  }

  return { makePictures, makeSound, made: () => count }
}

export type RunEncoder = ReturnType<typeof runEncoder>

/** The file, the rendition or the claim on it went while it was made; nothing of it is kept. */
export class NotWantedAnyMore extends Error {}

/** What whoever waited for it is told: it is not there. */
export function asGone(error: unknown): never {
  throw error instanceof NotWantedAnyMore ? notFound() : error
}

interface KeptFor {
  projectId: ProjectId
  fileId: FileId
  holder: string
  /** Whether it is the first of its run. */
  isFirst: boolean
  progressed?: () => Promise<void>
}

/**
 * Puts a segment in its place and counts it on the project. It is served from the moment it is there, and never changes: one that a
 * crash has left behind, or that another made who has taken over, counts in place of this one.
 */
async function keepSegment(
  { projectId, fileId, holder, isFirst, progressed }: KeptFor,
  { rendition, number, bytes, init }: MadeSegment,
  { sql, objects }: Pick<EncodeDeps, 'sql' | 'objects'>,
): Promise<void> {
  const key = segmentKey(projectId, fileId, rendition, number)
  const before = initKey(projectId, fileId, rendition)
  // The same for every segment of the rendition: whoever makes some puts it with the first.
  const initBytes = isFirst && (await putOnce(objects, before, init))
  const made = [{ number, bytes: await putOnce(objects, key, bytes) }]
  if (initBytes) made.push({ number: INIT, bytes: initBytes })
  // Once it is stored, or a disk that refuses all of them would pass for progress; and before it is noted, so
  // that whoever is killed once it is there has said so.
  await progressed?.()
  if (await note({ fileId, rendition, holder }, made, sql)) return
  // Nobody begins to make it while it is looked whether it goes.
  await sql.begin(async (tx) => {
    await holdFiles(tx, [fileId])
    if (!(await isWanted(tx, { fileId, rendition, holder, number }))) await objects.delete(key)
    if (isFirst && !(await isWanted(tx, { fileId, rendition, holder }))) await objects.delete(before)
  })
  throw new NotWantedAnyMore()
}

/** Puts an object unless there is one, and answers how long the one is that is there then. */
async function putOnce(objects: ObjectStore, key: string, bytes: Buffer): Promise<number> {
  for (;;) {
    try {
      await objects.put(key, bytes, { contentType: 'video/mp4', ifAbsent: true })
      return bytes.length
    } catch (error) {
      if (!(error instanceof ObjectExists)) throw error
      // Where it has gone meanwhile, it is put again.
      const there = await objects.head(key)
      if (there) return there.size
    }
  }
}

/** Notes segments and counts them: both, or neither where the file, which may come back from the trash, is deleted. */
async function note(
  about: { fileId: FileId; rendition: string; holder: string },
  made: { number: number; bytes: number }[],
  sql: Sql,
): Promise<boolean> {
  try {
    await sql.begin(async (tx) => {
      await holdFiles(tx, [about.fileId])
      const added = await insertSegments(tx, about, made)
      if (added === undefined || !(await addStoredBytes(tx, about.fileId, added)))
        throw new NotWantedAnyMore()
    })
    return true
  } catch (error) {
    if (error instanceof NotWantedAnyMore) return false
    throw error
  }
}

/**
 * Once all segments of a rendition are made, playlists tell what it really takes, and progress counts it as
 * complete. Whoever makes the last of them sees to it at once: the program that made it may take long to end.
 */
export async function settleRendition(
  { fileId, plan }: Presentation,
  choice: Rendition,
  sql: Sql,
): Promise<void> {
  const { name } = choice
  const made = await madeSegments(sql, fileId, name)
  if (plan.segments.some((_, number) => !made.has(number))) return
  const edges = choice.kind === 'audio' ? audioEdges(edgesOf(plan), choice) : edgesOf(plan)
  const bytes = plan.segments.map((_, number) => made.get(number)!)
  await addRates(sql, fileId, { [name]: ratesOf(edges, bytes) })
}
