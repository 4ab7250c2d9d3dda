import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ConfirmDelete } from '../../components/confirm-delete.tsx'
import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/failure.tsx'
import { Page } from '../../components/page.tsx'
import { formatNumber } from '../../format.ts'
import { readableKind } from '../../session/permissions.ts'
import { usePermission, useProject, useTrash } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import { useDelete } from './deleted.ts'
import { EmptyLibrary } from './empty-library.tsx'
import { useLibraryFilters } from './filters.ts'
import toolbar from './library-toolbar.module.css'
import { LibraryToolbar } from './library-toolbar.tsx'
import { MediaGrid } from './media-grid.tsx'
import { type MediaItem, useMediaList } from './media-list.ts'
import { mayDelete, SelectionBar } from './selection-bar.tsx'
import { useLibraryCommands } from './use-library-commands.ts'
import { useLibraryKeys } from './use-library-keys.ts'
import { useSelection } from './use-selection.ts'
import { useUploading } from './use-uploading.tsx'

/** The videos and images of a project. */
export function LibraryPage() {
  const may = usePermission()
  const { projectId } = useProject()
  const filters = useLibraryFilters()
  const { isAllowed, kind } = readableKind(may)
  // Who may read one kind alone asks for it: a list of both would be refused.
  const query = useMemo(() => (kind ? { ...filters.query, kind } : filters.query), [filters.query, kind])
  const list = useMediaList(query, isAllowed)
  const { items, total, hasMore } = list
  const selection = useSelection(items)
  const deleteItems = useDelete()
  const hasTrash = useTrash()
  const [asked, setAsked] = useState<readonly MediaItem[]>()
  const uploading = useUploading()
  const searchInput = useRef<HTMLInputElement>(null)

  const selected = useMemo(() => items.filter(({ id }) => selection.ids.has(id)), [items, selection.ids])
  const canSelect = may('posts:write') || may('videos:delete') || may('images:delete')

  const looked = JSON.stringify([projectId, query])
  // Another list begins at its beginning.
  useEffect(() => selection.clear(), [looked])

  function deleteSelected(): void {
    const chosen = items.filter(({ id }) => selection.now().has(id))
    if (chosen.length === 0 || !mayDelete(may, chosen)) return
    if (hasTrash) remove(chosen)
    else setAsked(chosen)
  }
  function remove(chosen: readonly MediaItem[]): void {
    deleteItems(chosen)
    selection.clear()
  }
  useLibraryKeys({ selection, canSelect, onDelete: deleteSelected })
  useLibraryCommands({
    searchInput,
    filters,
    selection,
    canSelect,
    canDelete: mayDelete(may, selected),
    chooseFolder: uploading.chooseFolder,
    onDelete: deleteSelected,
  })

  if (!isAllowed)
    return (
      <Page title={words.nav.library}>
        <Empty title={words.common.notFound}>
          <p>{words.library.notAllowed}</p>
        </Empty>
      </Page>
    )

  const count = formatNumber(total) + (hasMore ? '+' : '')
  const isEmpty = list.isSuccess && !list.isPlaceholderData && items.length === 0 && !list.hasNextPage
  const isNew = isEmpty && !filters.isFiltered
  return (
    <Page title={words.nav.library} actions={uploading.actions}>
      {!isNew && (
        <LibraryToolbar
          filters={filters}
          searchInput={searchInput}
          isSelecting={selected.length > 0}
          hasKinds={kind === undefined}
        >
          {selected.length > 0 ? (
            <SelectionBar
              items={selected}
              total={list.hasNextPage ? count : undefined}
              onClear={selection.clear}
              onDelete={deleteSelected}
            />
          ) : (
            <p className={toolbar.count} role="status">
              {list.isSuccess && words.library.count(count, total === 1)}
            </p>
          )}
        </LibraryToolbar>
      )}
      {list.isError && !list.data ? (
        <Failure error={list.error} reset={() => void list.refetch()} />
      ) : isNew ? (
        <EmptyLibrary onChoose={uploading.choose} />
      ) : isEmpty ? (
        <Empty title={words.library.noMatch}>
          <p>{words.library.noMatchText}</p>
          <Button onClick={filters.clear}>{words.library.clearFilters}</Button>
        </Empty>
      ) : (
        <MediaGrid list={list} looked={looked} selection={selection} canSelect={canSelect} />
      )}
      {asked && (
        <ConfirmDelete
          title={words.library.deleteForGood(asked.length)}
          onClose={() => setAsked(undefined)}
          onDelete={() => remove(asked)}
        />
      )}
    </Page>
  )
}
