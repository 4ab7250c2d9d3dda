/** Segments `[first, end)` of some renditions that this process makes, or is about to. */
export interface Run {
  fileId: string
  renditions: string[]
  first: number
  end: number
  /** A viewer waits for it, or nobody does; or it is a pass over a whole sound, which is never cut short. */
  purpose: 'viewer' | 'filler' | 'pass'
  /** The segment each rendition makes right now. */
  next: Map<string, number>
  controller: AbortController
  /** Never rejects; `failure` tells. */
  ended: Promise<void>
  failure: unknown
  /** Told once, when the first segment of it is made. */
  progressed?: () => Promise<void>
}

/** What is being made in this process, and who waits for it. */
export function runBook() {
  const runs = new Set<Run>()
  const waiting = new Map<string, Set<() => void>>()
  const keyOf = (fileId: string, rendition: string, number: number) => `${fileId} ${rendition} ${number}`

  return {
    /** Begins a run, and has it in the book until `work` has ended. */
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
    covering(fileId: string, rendition: string, number: number): Run | undefined {
      const next = (run: Run) => run.next.get(rendition)!
      return [...runs]
        .filter((run) => run.fileId === fileId && run.renditions.includes(rendition))
        .filter((run) => number >= next(run) && number < run.end)
        .sort((a, b) => next(b) - next(a))[0]
    },

    ofFile: (fileId: string) => [...runs].filter((run) => run.fileId === fileId),
    all: () => [...runs],
    hasViewers: () => [...runs].some((run) => run.purpose === 'viewer'),

    /** A segment is there. */
    announce(run: Run, rendition: string, number: number): void {
      run.next.set(rendition, number + 1)
      const key = keyOf(run.fileId, rendition, number)
      for (const wake of waiting.get(key) ?? []) wake()
    },

    /** When a segment is there, or the run that was to make it has ended. */
    async hear(run: Run, rendition: string, number: number): Promise<void> {
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

export type RunBook = ReturnType<typeof runBook>

/** Lets so many in at a time, in the order in which they came. */
export function slots(count: number) {
  const queue: (() => void)[] = []
  let free = count
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else free++
    }
  }
}
