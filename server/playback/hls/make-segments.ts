import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { runEnd } from '../../media/video/make-video.ts'
import type { Plan } from '../../media/video/plan.ts'
import { NotWantedAnyMore } from './keep-segment.ts'
import type { AudioChoice, Presentation, Rendition, VideoChoice } from './renditions.ts'
import { type Run, runBook, slots } from './runs.ts'
import { isMade, isPlayed, madeSegments } from './store.ts'
import { type MakerDeps, workshop } from './workshop.ts'

/** Makes segments, each once however many ask for it, in this process or another. */
export interface SegmentMaker {
  /** When a segment is there. Somebody waits: it goes before all that nobody waits for. */
  want(presentation: Presentation, rendition: Rendition, number: number, signal?: AbortSignal): Promise<void>
  /** When all segments of these renditions are there. Nobody waits for them, and they are made together. */
  fill(presentation: Presentation, renditions: Rendition[], order: FillOrder): Promise<void>
  /** Stops all work on a file, or on one rendition of it. */
  forget(fileId: string, rendition?: string): void
  /** How many segments this process has made. */
  made(): number
  close(): Promise<void>
}

/** On whose behalf segments are made that nobody waits for. */
export interface FillOrder {
  /** Told as some of it is done for good. */
  progressed: () => Promise<void>
  /** Breaks it off. */
  signal: AbortSignal
}

/** A viewer who asks for a segment soon asks for the next ones. */
const READ_AHEAD = 3
const SOUND_AHEAD = 15
/** How many segments a pass over a sound may be behind a viewer; it makes some ten of them in a second. */
const FAR = 30
/** Long runs cost least, short ones are soonest out of a viewer's way: a minute of 30 pictures a second. */
const FILL_RUN = 15
const fillRun = ({ source }: Plan) =>
  Math.round(FILL_RUN * Math.max(1, 30 / Math.max(1, source.framesPerSecond)))
const LOOK_AGAIN_MS = 100
const WANTED = 'marquee_segment_wanted'

/** A track of its own begins where its file says, which only a reading from there tells. */
const canBeginAnywhere = (rendition: Rendition) => rendition.kind === 'video' || rendition.zero !== undefined

export async function segmentMaker(deps: MakerDeps): Promise<SegmentMaker> {
  const { sql } = deps
  const book = runBook()
  const { makePictures, makeSound, made } = workshop(deps, book)
  const inTurn = slots(availableParallelism())
  const wanting = new Map<string, { made: Promise<void>; interested: number }>()
  let closed = false

  /** Nobody gets a claim on what was deleted, and trying again would never end. */
  async function requirePlayed(fileId: string): Promise<void> {
    if (!(await isPlayed(sql, fileId))) throw new NotWantedAnyMore()
  }

  function beginPass(presentation: Presentation, choice: AudioChoice, progressed?: () => Promise<void>): Run {
    const about = { fileId: presentation.fileId, renditions: [choice.name], first: 0, progressed }
    return book.begin({ ...about, end: presentation.plan.segments.length, purpose: 'pass' }, (run) =>
      makeSound(presentation, choice, run),
    )
  }

  function beginViewerRun(
    presentation: Presentation,
    choice: Rendition,
    number: number,
    isAwaited: () => boolean,
  ): Run {
    const { fileId, plan } = presentation
    const end =
      choice.kind === 'audio'
        ? Math.min(number + SOUND_AHEAD, plan.segments.length)
        : runEnd(plan, number, number + READ_AHEAD)
    return book.begin({ fileId, renditions: [choice.name], first: number, end, purpose: 'viewer' }, (run) =>
      inTurn(async () => {
        if (!isAwaited() || run.controller.signal.aborted) return
        if (choice.kind === 'audio') await makeSound(presentation, choice, run)
        else await makePictures(presentation, [choice], run)
      }),
    )
  }

  /** The run that a viewer is to wait for; one that others wait for more gives way to them. */
  async function runFor(
    presentation: Presentation,
    rendition: Rendition,
    number: number,
    isAwaited: () => boolean,
  ): Promise<{ run: Run; isNew: boolean }> {
    const known = book.covering(presentation.fileId, rendition.name, number)
    const ahead = known ? number - known.next.get(rendition.name)! : 0
    if (known?.purpose === 'filler' && ahead > 0) {
      known.controller.abort()
      await known.ended
    } else if (known?.purpose === 'pass' && ahead > FAR && canBeginAnywhere(rendition)) {
      return { run: beginViewerRun(presentation, rendition, number, isAwaited), isNew: true }
    } else if (known) return { run: known, isNew: false }
    const run =
      rendition.kind === 'audio' && (number <= FAR || !canBeginAnywhere(rendition))
        ? beginPass(presentation, rendition)
        : beginViewerRun(presentation, rendition, number, isAwaited)
    return { run, isNew: true }
  }

  async function make(
    presentation: Presentation,
    rendition: Rendition,
    number: number,
    isAwaited: () => boolean,
  ): Promise<void> {
    const { fileId } = presentation
    while (!closed && isAwaited()) {
      if (await isMade(sql, fileId, rendition.name, number)) return
      const { run, isNew } = await runFor(presentation, rendition, number, isAwaited)
      await book.hear(run, rendition.name, number)
      if (run.failure && !run.controller.signal.aborted) throw run.failure
      if (isNew && !(await isMade(sql, fileId, rendition.name, number))) {
        await requirePlayed(fileId)
        // Another process has it: one that nobody waits for there lets go.
        await sql.notify(WANTED, JSON.stringify({ fileId, rendition: rendition.name, number }))
        await sleep(LOOK_AGAIN_MS)
      }
    }
    throw new NotWantedAnyMore()
  }

  async function endedOrBrokenOff(run: Run, signal: AbortSignal): Promise<void> {
    const breakOff = () => run.controller.abort()
    signal.addEventListener('abort', breakOff)
    await run.ended
    signal.removeEventListener('abort', breakOff)
  }

  const listening = await sql.listen(WANTED, (payload) => {
    const { fileId, rendition, number } = JSON.parse(payload)
    const run = book.covering(fileId, rendition, number)
    if (run?.purpose === 'filler' && run.next.get(rendition) !== number) run.controller.abort()
  })

  async function fillPictures(
    presentation: Presentation,
    choices: VideoChoice[],
    { progressed, signal }: FillOrder,
  ): Promise<void> {
    const { fileId, plan } = presentation
    while (!closed) {
      signal.throwIfAborted()
      const kept = await Promise.all(choices.map(({ name }) => madeSegments(sql, fileId, name)))
      const missing = (number: number) => choices.filter((_, i) => !kept[i]!.has(number))
      const first = plan.segments.findIndex((_, number) => missing(number).length > 0)
      if (first < 0) return
      // They have the machine to themselves; what is left over is taken up after them.
      while (book.hasViewers() && !closed) await sleep(LOOK_AGAIN_MS)
      const together = missing(first)
      let end = first + 1
      while (end < first + fillRun(plan) && together.every(({ name }) => isMissing(name, end))) end++
      const about = { fileId, renditions: together.map(({ name }) => name), first, progressed }
      const run = book.begin({ ...about, end: runEnd(plan, first, end), purpose: 'filler' }, (begun) =>
        makePictures(presentation, together, begun),
      )
      await endedOrBrokenOff(run, signal)
      if (run.failure && !run.controller.signal.aborted) throw run.failure
      if (run.end === first) {
        await requirePlayed(fileId)
        await sleep(LOOK_AGAIN_MS)
      }

      function isMissing(name: string, number: number): boolean {
        return number < plan.segments.length && missing(number).some((choice) => choice.name === name)
      }
    }
  }

  async function fillSound(
    presentation: Presentation,
    choice: AudioChoice,
    { progressed, signal }: FillOrder,
  ): Promise<void> {
    const { fileId, plan } = presentation
    while (!closed) {
      signal.throwIfAborted()
      const kept = await madeSegments(sql, fileId, choice.name)
      if (plan.segments.every((_, number) => kept.has(number))) return
      const known = book.covering(fileId, choice.name, 0) ?? book.ofFile(fileId).find(isItsPass)
      const run = known ?? beginPass(presentation, choice, progressed)
      await run.ended
      if (run.failure) throw run.failure
      await requirePlayed(fileId)
      await sleep(LOOK_AGAIN_MS)
    }

    function isItsPass(run: Run): boolean {
      return run.purpose === 'pass' && run.renditions.includes(choice.name)
    }
  }

  return {
    async want(presentation, rendition, number, signal) {
      const key = `${presentation.fileId} ${rendition.name} ${number}`
      const asked = wanting.get(key) ?? { made: Promise.resolve(), interested: 0 }
      asked.interested++
      const leave = () => {
        asked.interested--
      }
      signal?.addEventListener('abort', leave, { once: true })
      if (!wanting.has(key)) {
        wanting.set(key, asked)
        asked.made = make(presentation, rendition, number, () => asked.interested > 0).finally(() =>
          wanting.delete(key),
        )
      }
      try {
        await asked.made
      } finally {
        signal?.removeEventListener('abort', leave)
      }
    },

    async fill(presentation, renditions, order) {
      const sound = renditions.filter((one) => one.kind === 'audio')
      const pictures = renditions.filter((one) => one.kind === 'video')
      const [lowest, ...others] = pictures.filter((one) => !one.video.copied)
      const copied = pictures.filter((one) => one.video.copied)
      const heard = (async () => {
        for (const choice of sound) await fillSound(presentation, choice, order)
      })()
      heard.catch(() => {})
      if (lowest) await fillPictures(presentation, [lowest], order)
      if (copied.length > 0) await fillPictures(presentation, copied, order)
      // The others at once: the source is read and decoded only once for all of them.
      if (others.length > 0) await fillPictures(presentation, others, order)
      await heard
      if (closed) throw new Error('the service stops')
    },

    forget(fileId, rendition) {
      for (const run of book.ofFile(fileId))
        if (!rendition || run.renditions.includes(rendition)) run.controller.abort()
    },

    made,

    async close() {
      closed = true
      const running = book.all()
      for (const run of running) run.controller.abort()
      await Promise.all(running.map((run) => run.ended))
      await listening.unlisten().catch(() => {})
    },
  }
}
