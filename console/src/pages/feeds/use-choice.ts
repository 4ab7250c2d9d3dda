import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNotify } from '../../components/toasts.tsx'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import { addContent } from '../library/add-content.ts'
import type { MediaItem } from '../library/media-list.ts'
import { type Feed, postsQuery } from './queries.ts'

const text = words.feeds.picker
const LIMIT = 60
const PAUSE_MS = 200

/** The media that can be added to a feed, as it is searched for. */
export function useChoosable(q: string, kind: 'video' | 'image' | undefined) {
  const { projectId, client } = useProject()
  const wanted = { ...(q && { q }), ...(kind && { kind }) }
  return useInfiniteQuery({
    queryKey: ['media-to-choose', projectId, wanted],
    queryFn: ({ pageParam, signal }) =>
      client.get('/media', {
        query: { ...wanted, limit: LIMIT, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: (before) => before,
  })
}

/** What somebody has typed, once they pause. */
export function usePaused(value: string): string {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return paused
}

/** What the feed shows already, as far as it is loaded, and a way to add more, which can be undone. */
export function useAdding(feed: Feed) {
  const { projectId, client } = useProject()
  const cache = useQueryClient()
  const notify = useNotify()
  const published = useInfiniteQuery(postsQuery(projectId, feed.id, 'published'))
  const drafts = useInfiniteQuery(postsQuery(projectId, feed.id, 'draft'))
  const known = [published, drafts].flatMap(({ data }) => data?.pages.flatMap((page) => page.data) ?? [])
  const isAllKnown = published.isSuccess && drafts.isSuccess && !published.hasNextPage && !drafts.hasNextPage
  const reload = () => cache.invalidateQueries({ queryKey: ['posts', projectId, feed.id] })

  async function takeBack(postIds: string[]): Promise<void> {
    const path = '/posts/v1/projects/{projectId}/feeds/{feedId}/posts/{postId}'
    try {
      for (const postId of postIds)
        await client.delete(path, { path: { projectId, feedId: feed.id, postId } })
    } catch (error) {
      notify.failed(words.feeds.notUndone, error)
    }
    await reload()
  }

  async function add(items: readonly MediaItem[]): Promise<void> {
    const posts = await addContent(client, feed.id, items)
    const before = new Set(known.map(({ id }) => id))
    const fresh = posts.map(({ id }) => id).filter((id) => !before.has(id))
    // Some may have been in a part of the feed that is not loaded: those are not to go by an undo.
    notify.done(text.added(items.length), isAllKnown ? () => void takeBack(fresh) : undefined)
    await reload()
  }

  const ids = new Set(known.filter((post) => post.published).map((post) => post.video_id ?? post.image_id))
  return { isIn: ({ id }: MediaItem) => ids.has(id), add }
}
