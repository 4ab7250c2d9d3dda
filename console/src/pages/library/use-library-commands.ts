import type { RefObject } from 'react'
import { usePageCommands } from '../../page-commands.ts'
import { SHORTCUTS } from '../../shortcuts/shortcuts.ts'
import { words } from '../../words.ts'
import type { LibraryFilters } from './filters.ts'
import type { Selection } from './use-selection.ts'

const text = words.commands.ofPage
const { also } = words.commands

interface LibraryCommands {
  searchInput: RefObject<HTMLInputElement | null>
  filters: LibraryFilters
  selection: Selection
  canSelect: boolean
  canDelete: boolean
  chooseFolder: (() => void) | undefined
  onDelete(): void
}

/** What the palette does in the library beside what it does everywhere. */
export function useLibraryCommands({ searchInput, filters, selection, ...rest }: LibraryCommands): void {
  const { canSelect, canDelete, chooseFolder, onDelete } = rest
  const count = selection.ids.size
  usePageCommands([
    {
      id: 'searchHere',
      title: text.searchHere,
      icon: 'search',
      keys: SHORTCUTS.search.keys[0],
      run: () => searchInput.current?.focus(),
    },
    chooseFolder && { id: 'uploadFolder', title: text.uploadFolder, icon: 'upload', run: chooseFolder },
    canSelect && {
      id: 'selectAll',
      title: text.selectAll,
      also: also.selectAll,
      icon: 'check',
      keys: SHORTCUTS.selectAll.keys[0],
      run: selection.all,
    },
    count > 0 && {
      id: 'clearSelection',
      title: text.clearSelection,
      icon: 'close',
      keys: SHORTCUTS.selectNone.keys[0],
      run: selection.clear,
    },
    count > 0 &&
      canDelete && {
        id: 'deleteSelected',
        title: text.deleteSelected(count),
        also: also.deleteSelected,
        icon: 'trash',
        keys: SHORTCUTS.delete.keys[0],
        run: onDelete,
      },
    filters.isFiltered && {
      id: 'clearFilters',
      title: text.clearFilters,
      icon: 'close',
      run: filters.clear,
    },
  ])
}
