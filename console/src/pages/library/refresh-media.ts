import type { Client, Schemas } from '@marquee/client'
import type { InfiniteData, QueryKey } from '@tanstack/react-query'
import { queries } from '../../api.ts'
import { onUploads, uploadEntries } from '../../uploads/upload-store.ts'
import { asOfNow } from './deleted.ts'
import type { MediaItem, MediaQuery } from './media-list.ts'

type MediaPage = Schemas['MediaPage']
export type Pages = InfiniteData<MediaPage, string>

const LIMIT = 100
/** More pages than these are not asked for again all at once. */
export const FEW_PAGES = 3
/** Who sees an empty library waits for what they upload elsewhere, such as by curl. */
const EMPTY_MS = 2000
const WAIT_MS = 10_000

/** What all lists of a project's media begin with. */
export const mediaKey = (projectId: string): QueryKey => ['media', projectId]

export function pageOf(
  client: Client,
  query: MediaQuery,
  cursor: string,
  signal?: AbortSignal,
): Promise<MediaPage> {
  return asOfNow(() =>
    client.get('/media', {
      query: { ...query, limit: LIMIT, ...(cursor && { cursor }) },
      ...(signal && { signal }),
    }),
  )
}

/** Brings in what is new: of a list that was scrolled far, what is new at its beginning. */
export async function refresh(client: Client, query: MediaQuery, queryKey: QueryKey): Promise<void> {
  const known = queries.getQueryData<Pages>(queryKey)
  if (!known || known.pages.length <= FEW_PAGES) return queries.refetchQueries({ queryKey, exact: true })
  const first = await pageOf(client, query, '').catch(() => undefined)
  if (!first) return
  queries.setQueryData<Pages>(queryKey, (now) => {
    const [before, ...others] = (now && withItems(now, first.data).pages) || []
    if (!now || !before) return now
    const ids = new Set(now.pages.flatMap(({ data }) => data.map(({ id }) => id)))
    const added = first.data.filter(({ id }) => !ids.has(id))
    const { total, total_is_minimum } = first.pagination
    const pagination = { ...before.pagination, total, total_is_minimum }
    return { ...now, pages: [{ data: [...added, ...before.data], pagination }, ...others] }
  })
}

/** Shows an item as it has become in every list that has it: a list that was scrolled far is not asked for again. */
export async function refreshItem(
  client: Client,
  projectId: string,
  { kind, id }: Pick<MediaItem, 'kind' | 'id'>,
): Promise<void> {
  const queryKey = mediaKey(projectId)
  if (queries.getQueriesData({ queryKey }).length === 0) return
  // What cannot be asked for now is shown as it was, until the list is asked for again.
  const found = await pageOf(client, { ids: id, kind }, '').catch(() => undefined)
  if (found) queries.setQueriesData<Pages>({ queryKey }, (now) => now && withItems(now, found.data))
}

function withItems(list: Pages, items: readonly MediaItem[]): Pages {
  const fresh = new Map(items.map((item) => [item.id, item]))
  const pages = list.pages.map((page) => ({
    ...page,
    data: page.data.map((item) => fresh.get(item.id) ?? item),
  }))
  return { ...list, pages }
}

/** Asks again and again while the page is looked at, and as soon as somebody comes back to it. */
export function refreshInTurn(queryKey: QueryKey, ask: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  const known = () => queries.getQueryData<Pages>(queryKey)
  const wait = () => {
    clearTimeout(timer)
    if (isStopped) return
    const isEmpty = known()?.pages[0]?.data.length === 0
    timer = setTimeout(turn, isEmpty ? EMPTY_MS : WAIT_MS)
  }
  const turn = () => {
    // What is being asked for, such as the next page of who scrolls, is not asked for anew; a failure stays to be read.
    const isFetching = queries.isFetching({ queryKey, exact: true }) > 0
    const isDue = !document.hidden && !isFetching && known() !== undefined
    void (isDue ? ask() : Promise.resolve()).finally(wait)
  }
  const onVisible = () => {
    if (document.hidden) return
    clearTimeout(timer)
    turn()
  }
  document.addEventListener('visibilitychange', onVisible)
  wait()
  return () => {
    isStopped = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onVisible)
  }
}

/** Files are often uploaded by the dozen: they are asked for together. */
export function onNewUploads(projectId: string, tell: () => void): () => void {
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
