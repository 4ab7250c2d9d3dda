import type { Semaphore } from '../base/async/semaphore.ts'
import type { FileId } from '../base/ids.ts'
import { runEnd } from '../media/video/make-video.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { NotWantedAnyMore, type RunEncoder } from './encode-run.ts'
import type { Purpose } from './port.ts'
import type { AudioChoice, Presentation, Rendition, VideoChoice } from './presentation.ts'
import { isPlayed } from './store.ts'

/** Segments `[first, end)` of some renditions that this process makes, or is about to. */
export interface Run {
  fileId: FileId
  renditions: string[]
  first: number
  end: number
  /** A pass over a whole sound is never cut short. */
  purpose: Purpose
  /** The segment each rendition makes right now. */
  next: Map<string, number>
  controller: AbortController
  /** Never rejects; `failure` tells. */
  ended: Promise<void>
  failure: unknown
  /** Told once, when the first segment of it is made. */
  progressed?: () => Promise<void>
}

/** Registry of the encode runs of this process, and of who waits for them. */
export function runRegistry() {
  const runs = new Set<Run>()
  const waiting = new Map<string, Set<() => void>>()
  const keyOf = (fileId: FileId, rendition: string, number: number) => `${fileId} ${rendition} ${number}`

  return {
    /** Begins a run, and has it registered until `work` has ended. */
    begin(
      about: Omit<Run, 'controller' | 'ended' | 'failure' | 'next'>,
      work: (run: Run) => Promise<void>,
    ): Run {
      const run: Run = {
        ...about,
        next: new Map(about.renditions.map((rendition) => [rendition, about.first])),
        controller: new AbortController(),
        ended: Promise.resolve(),
        failure: undefined,
      }
      runs.add(run)
      run.ended = work(run)
        .catch((error) => {
          run.failure = error
        })
        .finally(() => runs.delete(run))
      return run
    },

    /** Of the runs that are to make a segment, the one that comes to it soonest. */
    covering(fileId: FileId, rendition: string, number: number): Run | undefined {
      const next = (run: Run) => run.next.get(rendition)!
      return [...runs]
        .filter((run) => run.fileId === fileId && run.renditions.includes(rendition))
        .filter((run) => number >= next(run) && number < run.end)
        .sort((a, b) => next(b) - next(a))[0]
    },

    ofFile: (fileId: FileId) => [...runs].filter((run) => run.fileId === fileId),
    all: () => [...runs],
    hasViewers: () => [...runs].some((run) => run.purpose === 'viewer'),

    /** A segment is there. */
    announce(run: Run, rendition: string, number: number): void {
      run.next.set(rendition, number + 1)
      const key = keyOf(run.fileId, rendition, number)
      for (const wake of waiting.get(key) ?? []) wake()
    },

    /** When a segment is there, or the run that was to make it has ended. */
    async waitFor(run: Run, rendition: string, number: number): Promise<void> {
      const key = keyOf(run.fileId, rendition, number)
      const { promise, resolve } = Promise.withResolvers<void>()
      const all = waiting.get(key) ?? new Set()
      waiting.set(key, all.add(resolve))
      await Promise.race([promise, run.ended])
      all.delete(resolve)
      if (all.size === 0) waiting.delete(key)
    },
  }
}

export type RunRegistry = ReturnType<typeof runRegistry>

/** What segments are made with in this process, for viewers and for nobody alike. */
export interface Making {
  sql: Sql
  registry: RunRegistry
  encoder: RunEncoder
  /** Runs for viewers at once: as many as the machine has processors. */
  withPermit: Semaphore
  /** From then on nothing new is begun. */
  isClosed(): boolean
}

/** A viewer who asks for a segment soon asks for the next ones. */
const READ_AHEAD = 3
const SOUND_AHEAD = 15

/** How long it is before the database is asked again about what another process makes. */
export const LOOK_AGAIN_MS = 100

/** Makes all of a sound, in one go. */
export function beginPass(
  presentation: Presentation,
  choice: AudioChoice,
  { registry, encoder }: Making,
  progressed?: () => Promise<void>,
): Run {
  const { fileId, plan } = presentation
  const segments = { first: 0, end: plan.segments.length }
  return registry.begin(
    { fileId, renditions: [choice.name], ...segments, progressed, purpose: 'pass' },
    (run) => encoder.makeSound(presentation, choice, run),
  )
}

/** Makes the segment that a viewer waits for and those that they ask for next. */
export function beginViewerRun(
  presentation: Presentation,
  choice: Rendition,
  { number, isAwaited }: { number: number; isAwaited: () => boolean },
  { registry, encoder, withPermit }: Making,
): Run {
  const { fileId, plan } = presentation
  const end =
    choice.kind === 'audio'
      ? Math.min(number + SOUND_AHEAD, plan.segments.length)
      : runEnd(plan, number, number + READ_AHEAD)
  return registry.begin({ fileId, renditions: [choice.name], first: number, end, purpose: 'viewer' }, (run) =>
    withPermit(async () => {
      if (!isAwaited() || run.controller.signal.aborted) return
      if (choice.kind === 'audio') await encoder.makeSound(presentation, choice, run)
      else await encoder.makePictures(presentation, [choice], run)
    }),
  )
}

/** Makes segments that nobody waits for, of several renditions from one reading of the source. */
export function beginFillerRun(
  presentation: Presentation,
  choices: VideoChoice[],
  { first, end, progressed }: { first: number; end: number; progressed: () => Promise<void> },
  { registry, encoder }: Making,
): Run {
  const { fileId, plan } = presentation
  const renditions = choices.map(({ name }) => name)
  return registry.begin(
    { fileId, renditions, first, end: runEnd(plan, first, end), progressed, purpose: 'filler' },
    (run) => encoder.makePictures(presentation, choices, run),
  )
}

/** Nobody gets a claim on what was deleted, and trying again would never end. */
export async function requirePlayed(fileId: FileId, { sql }: Making): Promise<void> {
  if (!(await isPlayed(sql, fileId))) throw new NotWantedAnyMore()
}
