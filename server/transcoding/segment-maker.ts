import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { semaphore } from '../base/async/semaphore.ts'
import type { FileId } from '../base/ids.ts'
import { type EncodeDeps, NotWantedAnyMore, runEncoder } from './encode-run.ts'
import { type FillOrder, fillRenditions, helpToFill } from './fill-renditions.ts'
import type { Presentation, Rendition } from './presentation.ts'
import {
  beginPass,
  beginViewerRun,
  LOOK_AGAIN_MS,
  type Making,
  type Run,
  requirePlayed,
  runRegistry,
} from './runs.ts'
import { isMade } from './store.ts'

/** Makes segments, each once however many ask for it, in this process or another. */
export interface SegmentMaker {
  /** When a segment is there. Somebody waits: it goes before all that nobody waits for. */
  request(
    presentation: Presentation,
    rendition: Rendition,
    number: number,
    signal?: AbortSignal,
  ): Promise<void>
  /** When all segments of these renditions are there. Nobody waits for them, and they are made together. */
  fill(presentation: Presentation, renditions: Rendition[], order: FillOrder): Promise<void>
  /** Makes a share of them, of a file that another process fills; done when all of them are begun. */
  help(presentation: Presentation, renditions: Rendition[], order: Pick<FillOrder, 'signal'>): Promise<void>
  /** Stops all work on a file, or on one rendition of it. */
  forget(fileId: FileId, rendition?: string): void
  /** How many segments this process has made. */
  made(): number
  close(): Promise<void>
}

export async function segmentMaker(deps: EncodeDeps): Promise<SegmentMaker> {
  const registry = runRegistry()
  const encoder = runEncoder(deps, registry)
  let closed = false
  const making: Making = {
    sql: deps.sql,
    registry,
    encoder,
    withPermit: semaphore(availableParallelism()),
    isClosed: () => closed,
  }
  const listening = await giveWayToOthers(making)

  return {
    request: sharedRequests((request) => requestSegment(request, making)),

    fill: (presentation, renditions, order) => fillRenditions(presentation, renditions, order, making),

    help: (presentation, renditions, order) => helpToFill(presentation, renditions, order, making),

    forget(fileId, rendition) {
      for (const run of registry.ofFile(fileId))
        if (!rendition || run.renditions.includes(rendition)) run.controller.abort()
    },

    made: encoder.made,

    async close() {
      closed = true
      const running = registry.all()
      for (const run of running) run.controller.abort()
      await Promise.all(running.map((run) => run.ended))
      await listening.unlisten().catch(() => {})
    },
  }
}

/** A segment that somebody waits for. */
interface SegmentRequest {
  presentation: Presentation
  rendition: Rendition
  number: number
  /** False once all who asked for it have gone. */
  isAwaited(): boolean
}

/** Coalesces requests for the same segment; it is awaited as long as one of those who asked has not gone. */
function sharedRequests(make: (request: SegmentRequest) => Promise<void>): SegmentMaker['request'] {
  const pending = new Map<string, { made: Promise<void>; interested: number }>()

  return async (presentation, rendition, number, signal) => {
    const key = `${presentation.fileId} ${rendition.name} ${number}`
    const asked = pending.get(key) ?? { made: Promise.resolve(), interested: 0 }
    asked.interested++
    const leave = () => {
      asked.interested--
    }
    signal?.addEventListener('abort', leave, { once: true })
    if (!pending.has(key)) {
      pending.set(key, asked)
      const isAwaited = () => asked.interested > 0
      asked.made = make({ presentation, rendition, number, isAwaited }).finally(() => pending.delete(key))
    }
    try {
      await asked.made
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }
}

/** How many segments a pass over a sound may be behind a viewer; it makes some ten of them in a second. */
const FAR = 30
/** Channel on which processes tell each other which segments viewers wait for. */
const WANTED = 'marquee_segment_wanted'

/** Waits for whoever makes a segment, in this process or another, or has it made. */
async function requestSegment(request: SegmentRequest, making: Making): Promise<void> {
  const { presentation, rendition, number } = request
  const isThere = () => isMade(making.sql, presentation.fileId, rendition.name, number)
  while (!making.isClosed() && request.isAwaited()) {
    if (await isThere()) return
    const { run, isNew } = await runFor(request, making)
    await making.registry.waitFor(run, rendition.name, number)
    if (run.failure && !run.controller.signal.aborted) throw run.failure
    if (isNew && !(await isThere())) await askOtherProcesses(request, making)
  }
  throw new NotWantedAnyMore()
}

/** The run that a viewer is to wait for; one that others wait for more gives way to them. */
async function runFor(request: SegmentRequest, making: Making): Promise<{ run: Run; isNew: boolean }> {
  const { presentation, rendition, number } = request
  const known = making.registry.covering(presentation.fileId, rendition.name, number)
  const ahead = known ? number - known.next.get(rendition.name)! : 0
  if (known?.purpose === 'filler' && ahead > 0) {
    known.controller.abort()
    await known.ended
  } else if (known?.purpose === 'pass' && ahead > FAR && canBeginAnywhere(rendition)) {
    return { run: beginViewerRun(presentation, rendition, request, making), isNew: true }
  } else if (known) return { run: known, isNew: false }
  return { run: beginFor(request, making), isNew: true }
}

function beginFor(request: SegmentRequest, making: Making): Run {
  const { presentation, rendition, number } = request
  return rendition.kind === 'audio' && (number <= FAR || !canBeginAnywhere(rendition))
    ? beginPass(presentation, rendition, making)
    : beginViewerRun(presentation, rendition, request, making)
}

/** A track of its own begins where its file says, which only a reading from there tells. */
function canBeginAnywhere(rendition: Rendition): boolean {
  return rendition.kind === 'video' || rendition.zero !== undefined
}

/** Another process has claimed it: one that nobody waits for there lets go. */
async function askOtherProcesses(
  { presentation: { fileId }, rendition, number }: SegmentRequest,
  making: Making,
): Promise<void> {
  await requirePlayed(fileId, making)
  await making.sql.notify(WANTED, JSON.stringify({ fileId, rendition: rendition.name, number }))
  await sleep(LOOK_AGAIN_MS)
}

/** Breaks off runs that nobody waits for here where a viewer of another process waits for what they hold. */
function giveWayToOthers({ sql, registry }: Pick<Making, 'sql' | 'registry'>) {
  return sql.listen(WANTED, (payload) => {
    const { fileId, rendition, number } = JSON.parse(payload)
    const run = registry.covering(fileId, rendition, number)
    if (run?.purpose === 'filler' && run.next.get(rendition) !== number) run.controller.abort()
  })
}
