import { useEffect, useMemo, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/failure.tsx'
import { Page } from '../../components/page.tsx'
import { formatNumber } from '../../format.ts'
import { readableKind } from '../../session/permissions.ts'
import { usePermission, useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import { useDelete } from './deleted.ts'
import { EmptyLibrary } from './empty-library.tsx'
import { useLibraryFilters } from './filters.ts'
import styles from './library-page.module.css'
import toolbar from './library-toolbar.module.css'
import { LibraryToolbar } from './library-toolbar.tsx'
import { MediaGrid } from './media-grid.tsx'
import { useMediaList } from './media-list.ts'
import { mayDelete, SelectionBar } from './selection-bar.tsx'
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
  const { items, total } = list
  const selection = useSelection(items)
  const deleteItems = useDelete()
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
    deleteItems(chosen)
    selection.clear()
  }
  useLibraryKeys({ searchInput, selection, canSelect, onDelete: deleteSelected })

  if (!isAllowed)
    return (
      <Page title={words.nav.library}>
        <Empty title={words.common.notFound}>
          <p>{words.library.notAllowed}</p>
        </Empty>
      </Page>
    )

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
            <SelectionBar items={selected} onClear={selection.clear} onDelete={deleteSelected} />
          ) : (
            <p className={toolbar.count} role="status">
              {list.isSuccess && words.library.count(formatNumber(total), total === 1)}
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
      {uploading.isOver && (
        <div className={styles.over}>
          <p>{words.library.drop}</p>
          <p>{words.library.dropText}</p>
        </div>
      )}
    </Page>
  )
}
