import { newIdSuffix } from '../../base/ids.ts'
import { makeAudio } from '../../media/video/make-audio.ts'
import { type MadeSegment, makeVideo } from '../../media/video/make-video.ts'
import type { MediaTools } from '../../media/video/program.ts'
import { originalKey } from '../../uploads/keys.ts'
import { type KeepDeps, keepSegment } from './keep-segment.ts'
import {
  type AudioChoice,
  edgesOf,
  type Presentation,
  type Rendition,
  type VideoChoice,
} from './renditions.ts'
import type { Run, RunBook } from './runs.ts'
import { settleRendition } from './settle-rendition.ts'
import type { SourceFiles } from './sources.ts'
import { claimSegments, releaseClaims, renewClaims, WHOLE } from './store.ts'

export interface MakerDeps extends KeepDeps {
  tools: MediaTools
  sources: SourceFiles
}

const CLAIM_SECONDS = 15
const NICE = { viewer: 5, pass: 10, filler: 19 }

/** Carries runs out: claims their segments among all processes, makes them, and keeps each as it comes. */
export function workshop(deps: MakerDeps, book: RunBook) {
  const { sql } = deps
  let count = 0

  /** Holds claims while `work` goes on. */
  async function holding<T>(work: (holder: string) => Promise<T>): Promise<T> {
    const holder = newIdSuffix()
    const renewal = setInterval(
      () => renewClaims(sql, holder, CLAIM_SECONDS).catch(() => {}),
      (CLAIM_SECONDS * 1000) / 3,
    )
    try {
      return await work(holder)
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
    book.announce(run, made.rendition, made.number)
  }

  /** What does not come to it here, by a crash or an outage, the fill job does at its end. */
  async function settleAtEnd(presentation: Presentation, choice: Rendition, run: Run, number: number) {
    if (number === run.end - 1) await settleRendition(presentation, choice, sql).catch(() => {})
  }

  async function makePictures(presentation: Presentation, choices: VideoChoice[], run: Run): Promise<void> {
    await holding(async (holder) => {
      if (!(await claim(run, holder))) return
      const { projectId, fileId, plan } = presentation
      const renditions = choices.map(({ video }) => video).filter(({ name }) => run.renditions.includes(name))
      const { first, end } = run
      await deps.sources.use(originalKey(projectId, fileId), (source) =>
        makeVideo(
          deps.tools,
          { source, plan, renditions, first, end, nice: NICE[run.purpose], signal: run.controller.signal },
          async (made) => {
            await keep(presentation, run, holder, made)
            const choice = choices.find(({ name }) => name === made.rendition)!
            await settleAtEnd(presentation, choice, run, made.number)
          },
        ),
      )
    })
  }

  /** A pass over all of a sound, or, where it has run far ahead of one, over what a viewer needs of it. */
  async function makeSound(presentation: Presentation, choice: AudioChoice, run: Run): Promise<void> {
    await holding(async (holder) => {
      const { fileId, plan } = presentation
      const { name: rendition } = choice
      const whole = { fileId, renditions: [rendition], first: WHOLE, end: WHOLE + 1, holder }
      const isFree =
        run.purpose === 'pass'
          ? (await claimSegments(sql, whole, CLAIM_SECONDS)).length > 0
          : await claim(run, holder)
      if (!isFree) return
      const { first, end } = run
      await deps.sources.use(choice.sourceKey, (source) =>
        makeAudio(
          deps.tools,
          {
            ...choice,
            rendition,
            source,
            first,
            end,
            edges: edgesOf(plan),
            nice: NICE[run.purpose],
            signal: run.controller.signal,
          },
          async (segment) => {
            const one = { ...whole, first: segment.number, end: segment.number + 1 }
            const isMine =
              run.purpose === 'viewer' || (await claimSegments(sql, one, CLAIM_SECONDS)).length > 0
            if (isMine) await keep(presentation, run, holder, segment)
            else book.announce(run, rendition, segment.number)
            await settleAtEnd(presentation, choice, run, segment.number)
          },
        ),
      )
    })
  }

  return { makePictures, makeSound, made: () => count }
}
