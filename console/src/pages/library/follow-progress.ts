import type { Client } from '@marquee/client'
import { useEffect, useState } from 'react'
import { useProject } from '../../session/use-project.ts'
import type { MediaItem } from './media-list.ts'

interface Progress {
  status: 'processing' | 'complete' | 'failed'
  percent: number
}

interface Following {
  client: Client
  videoId: string
  tell(progress: Progress): void
}

const POLL_MS = 1000
const SLOWEST_MS = 15_000
/** As many as the list takes by their ids. */
const AT_ONCE = 100

/** What was told last, for cells that come back into view. */
const told = new Map<string, Progress>()
/** In the order in which they were asked for: those that were asked for last are at its end. */
const followed = new Set<Following>()
let isPolling = false

/** How far a video that is in view is processed, as it goes on. */
export function useProgress(item: MediaItem): Progress | undefined {
  const { client } = useProject()
  const [progress, setProgress] = useState<Progress | undefined>(() => told.get(item.id))
  const isOpen = item.kind === 'video' && item.status === 'ready' && (item.percent ?? 100) < 100
  const isEnded = progress !== undefined && progress.status !== 'processing'
  useEffect(() => {
    if (!isOpen || isEnded) return
    const following = { client, videoId: item.id, tell: setProgress }
    followed.add(following)
    void poll()
    return () => void followed.delete(following)
  }, [client, item.id, isOpen, isEnded])
  if (item.kind === 'image') return undefined
  if (item.status === 'error') return { status: 'failed', percent: item.percent ?? 0 }
  return isOpen ? (progress ?? { status: 'processing', percent: item.percent! }) : undefined
}

/**
 * Asks for all of them together. A stream would be a connection for each video, and a browser has six for a host, which
 * uploads and pictures need.
 */
async function poll(): Promise<void> {
  if (isPolling) return
  isPolling = true
  let pause = POLL_MS
  while (followed.size > 0) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    if (document.hidden) continue
    const isAnswered = await askOnce().catch(() => false)
    // The service is away: the cards show what they knew.
    pause = isAnswered ? POLL_MS : Math.min(pause * 2, SLOWEST_MS)
  }
  isPolling = false
}

async function askOnce(): Promise<boolean> {
  const [first] = followed
  if (!first) return true
  const { client } = first
  const some = [...followed].filter((one) => one.client === client).slice(0, AT_ONCE)
  for (const one of some) {
    followed.delete(one)
    followed.add(one)
  }
  const ids = some.map(({ videoId }) => videoId).join()
  const { data } = await client.get('/media', { query: { ids, kind: 'video', limit: AT_ONCE } })
  const items = new Map(data.map((item) => [item.id, item]))
  for (const one of some) {
    const item = items.get(one.videoId)
    // It may have left the page while it was asked for.
    if (!item) continue
    const progress = progressOf(item)
    told.set(item.id, progress)
    if (followed.has(one)) one.tell(progress)
  }
  return true
}

function progressOf({ status, percent = 100 }: MediaItem): Progress {
  if (status === 'error') return { status: 'failed', percent }
  return { status: percent < 100 ? 'processing' : 'complete', percent }
}
