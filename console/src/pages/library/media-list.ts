import type { Client, Operations, Schemas } from '@marquee/client'
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { queries } from '../../api.ts'
import { useProject } from '../../session/use-project.ts'
import { onUploads, uploadEntries } from '../../uploads/upload-store.ts'
import { asOfNow, isDeletedNow, useDeleted } from './deleted.ts'

export type MediaItem = Schemas['MediaItem']
type MediaPage = Schemas['MediaPage']
type MediaQuery = NonNullable<Operations['get']['/media']['query']>
type Pages = InfiniteData<MediaPage, string>

const LIMIT = 100
/** More pages than these are not asked for again all at once. */
const FEW_PAGES = 3

/** The media that was asked for, as far as it was scrolled to. */
export function useMediaList(query: MediaQuery, isEnabled: boolean) {
  const { projectId, client } = useProject()
  const queryKey = ['media', projectId, query] as const
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
  useEffect(() => onNewUploads(projectId, () => void refresh(client, query, queryKey)), [key, client])

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

function pageOf(client: Client, query: MediaQuery, cursor: string, signal?: AbortSignal): Promise<MediaPage> {
  return asOfNow(() =>
    client.get('/media', {
      query: { ...query, limit: LIMIT, ...(cursor && { cursor }) },
      ...(signal && { signal }),
    }),
  )
}

/** Brings in what is new: of a list that was scrolled far, what is new at its beginning. */
async function refresh(client: Client, query: MediaQuery, queryKey: readonly unknown[]): Promise<void> {
  const known = queries.getQueryData<Pages>(queryKey)
  if (!known || known.pages.length <= FEW_PAGES) return queries.refetchQueries({ queryKey, exact: true })
  const first = await pageOf(client, query, '').catch(() => undefined)
  if (!first) return
  queries.setQueryData<Pages>(queryKey, (now) => {
    const [before, ...others] = now?.pages ?? []
    if (!now || !before) return now
    const shown = now.pages.flatMap(({ data }) => data).filter((item) => !isDeletedNow(item))
    const ids = new Set(shown.map(({ id }) => id))
    const added = first.data.filter(({ id }) => !ids.has(id))
    const { total, total_is_minimum } = first.pagination
    const pagination = { ...before.pagination, total, total_is_minimum }
    return { ...now, pages: [{ data: [...added, ...before.data], pagination }, ...others] }
  })
}

/** Files are often uploaded by the dozen: they are asked for together. */
function onNewUploads(projectId: string, tell: () => void): () => void {
  const done = () =>
    uploadEntries().filter((entry) => entry.projectId === projectId && entry.state === 'done').length
  let seen = done()
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = onUploads(() => {
    const now = done()
    if (now > seen)
      timer ??= setTimeout(() => {
        timer = undefined
        tell()
      }, 400)
    seen = now
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}
