import type { Operations, Schemas } from '@marquee/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useProject } from '../../session/use-project.ts'
import { useDeleted } from './deleted.ts'
import {
  FEW_PAGES,
  mediaKey,
  onNewUploads,
  type Pages,
  pageOf,
  refresh,
  refreshInTurn,
} from './refresh-media.ts'

export type MediaItem = Schemas['MediaItem']
export type MediaQuery = NonNullable<Operations['get']['/media']['query']>

/** The media that was asked for, as far as it was scrolled to. */
export function useMediaList(query: MediaQuery, isEnabled: boolean) {
  const { projectId, client } = useProject()
  const queryKey = [...mediaKey(projectId), query]
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => pageOf(client, query, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    enabled: isEnabled,
    // Thousands of pages would be loaded one after the other: `refresh` asks for what matters.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    // It would compare every item that is there with each page that comes.
    structuralSharing: false,
    refetchOnMount: ({ state }) =>
      ((state.data as Pages | undefined)?.pages.length ?? 0) <= FEW_PAGES && 'always',
    placeholderData: (before, of) => (of?.queryKey[1] === projectId ? before : undefined),
  })

  const key = JSON.stringify(queryKey)
  // The key stands for all that it is made of.
  useEffect(() => {
    if (!isEnabled) return
    const bringIn = () => refresh(client, query, queryKey)
    const stopUploads = onNewUploads(projectId, () => void bringIn())
    const stopTurns = refreshInTurn(queryKey, bringIn)
    return () => {
      stopUploads()
      stopTurns()
    }
  }, [key, client, isEnabled])

  const isDeleted = useDeleted()
  const { data } = list
  const items = useMemo(
    () => data?.pages.flatMap((page) => page.data).filter((item) => !isDeleted(item)) ?? [],
    [data, isDeleted],
  )
  const loaded = useMemo(() => data?.pages.reduce((sum, page) => sum + page.data.length, 0) ?? 0, [data])
  const counted = data?.pages[0]?.pagination
  const total = (counted?.total ?? 0) - (loaded - items.length)
  return { ...list, items, total, hasMore: counted?.total_is_minimum ?? false }
}
