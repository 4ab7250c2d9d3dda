import { type Client, follow, type Schemas } from '@marquee/client'
import { useEffect, useState } from 'react'
import { useProject } from '../../session/use-project.ts'
import { isUnderWay, uploadEntries } from '../../uploads/upload-store.ts'
import type { MediaItem } from './media-list.ts'

type Progress = Pick<Schemas['VideoProgress'], 'status' | 'percent'> & { reason?: string }

interface Following {
  client: Client
  videoId: string
  tell(progress: Progress): void
  stopped: AbortController
}

/** What was told last, for cells that come back into view. */
const told = new Map<string, Progress>()
const waiting = new Set<Following>()
let running = 0

/** Each has a connection of its own, and a browser has six for a host: uploads and pictures need some. */
const mostAtOnce = () => (uploadEntries().some(isUnderWay) ? 1 : 2)

/** How far a video that is in view is processed, as it goes on. */
export function useProgress(item: MediaItem): Progress | undefined {
  const { client } = useProject()
  const [progress, setProgress] = useState<Progress | undefined>(() => told.get(item.id))
  const isOpen = item.kind === 'video' && item.status === 'ready' && (item.percent ?? 100) < 100
  const isEnded = progress !== undefined && progress.status !== 'processing'
  useEffect(() => {
    if (!isOpen || isEnded) return
    const following = { client, videoId: item.id, tell: setProgress, stopped: new AbortController() }
    waiting.add(following)
    next()
    return () => {
      waiting.delete(following)
      following.stopped.abort()
    }
  }, [client, item.id, isOpen, isEnded])
  if (item.kind === 'image') return undefined
  if (item.status === 'error') return { status: 'failed', percent: item.percent ?? 0 }
  return isOpen ? (progress ?? { status: 'processing', percent: item.percent! }) : undefined
}

function next(): void {
  const [first] = waiting
  if (!first || running >= mostAtOnce()) return
  waiting.delete(first)
  running++
  void run(first).finally(() => {
    running--
    next()
  })
  next()
}

async function run({ client, videoId, tell, stopped: { signal } }: Following): Promise<void> {
  try {
    for await (const progress of follow(client, videoId, { signal })) {
      told.set(videoId, progress)
      tell(progress)
    }
  } catch {
    // It was left, or the service is away: the card shows what it knew.
  }
}
