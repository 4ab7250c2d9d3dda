/** What a client did and was answered, and what is found when all is well again. */
export interface History {
  deeds: Deed[]
  found: Found
}

export interface Deed {
  kind: 'image' | 'event'
  /** What it is found by afterwards; undefined where the client never learnt it. */
  id: string | undefined
  /** Undefined where no answer came: then it has happened or it has not. */
  status: number | undefined
  retryAfter: string | null
}

export interface Found {
  /** The images of the project, and whether each can be had as it was said to be. */
  images: Map<string, { isWhole: boolean }>
  /** How often each event counts. */
  events: Map<string, number>
}

export const isAcknowledged = ({ status }: Deed) => status !== undefined && status < 300

/** What a history says against the service: nothing that was acknowledged is lost, and nothing is half done or there twice. */
export function problemsOf({ deeds, found }: History): string[] {
  const answers = deeds.flatMap(({ kind, status, retryAfter }) => {
    if (status === undefined) return []
    if (status < 500) return status < 300 ? [] : [`${kind}: refused with ${status}`]
    if (status !== 503) return [`${kind}: answered ${status}`]
    return retryAfter === null ? [`${kind}: 503 that does not say when to come again`] : []
  })
  const acknowledged = deeds.filter(isAcknowledged)
  const lost = acknowledged.flatMap(({ kind, id = '' }) => {
    const isThere = kind === 'image' ? found.images.has(id) : (found.events.get(id) ?? 0) > 0
    return isThere ? [] : [`${kind} ${id}: acknowledged and lost`]
  })
  const half = [...found.images].flatMap(([id, { isWhole }]) => (isWhole ? [] : [`image ${id}: half done`]))
  const known = new Set(deeds.map(({ id }) => id))
  const repeated = [...found.events].flatMap(([id, times]) =>
    times > 1
      ? [`event ${id}: counts ${times} times`]
      : times && !known.has(id)
        ? [`event ${id}: nobody sent it`]
        : [],
  )
  return [...answers, ...lost, ...half, ...repeated]
}
