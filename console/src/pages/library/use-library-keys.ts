import { useShortcuts } from '../../shortcuts/use-shortcuts.ts'
import type { Selection } from './use-selection.ts'

interface LibraryKeys {
  selection: Selection
  canSelect: boolean
  onDelete(): void
}

/** Keys of the library, wherever the focus is. */
export function useLibraryKeys({ selection, canSelect, onDelete }: LibraryKeys): void {
  const isSelecting = () => selection.now().size > 0
  useShortcuts({
    selectAll: () => canSelect && selection.all(),
    selectNone: () => isSelecting() && selection.clear(),
    delete: () => isSelecting() && onDelete(),
  })
}
