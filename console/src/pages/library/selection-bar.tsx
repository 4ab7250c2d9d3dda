import { lazy, Suspense, useState } from 'react'
import { Button, IconButton } from '../../components/button.tsx'
import { formatNumber } from '../../format.ts'
import { usePageCommands } from '../../page-commands.ts'
import { usePermission } from '../../session/use-project.ts'
import { UnderWay } from '../../under-way.tsx'
import { words } from '../../words.ts'
import styles from './library-toolbar.module.css'
import type { MediaItem } from './media-list.ts'

const AddToFeed = lazy(() => import('./add-to-feed.tsx').then((page) => ({ default: page.AddToFeed })))

interface SelectionBarProps {
  items: readonly MediaItem[]
  /** How many there are in all, where more than those that are loaded: only what is loaded can be chosen. */
  total?: string | undefined
  onClear(): void
  onDelete(): void
}

export function SelectionBar({ items, total, onClear, onDelete }: SelectionBarProps) {
  const may = usePermission()
  const [isAdding, setAdding] = useState(false)
  const count = formatNumber(items.length)
  const canAdd = may('posts:write') && may('feeds:read')
  const text = words.commands.ofPage
  usePageCommands([
    canAdd && {
      id: 'addSelected',
      title: text.addSelected(items.length),
      icon: 'feeds',
      run: () => setAdding(true),
    },
  ])
  return (
    <div className={styles.selection}>
      <IconButton icon="close" label={words.library.clearSelection} onClick={onClear} />
      <p role="status">{total ? words.library.selectedOf(count, total) : words.library.selected(count)}</p>
      {canAdd && (
        <Button icon="feeds" title={words.library.addToFeed} onClick={() => setAdding(true)}>
          <span className={styles.word}>{words.library.addToFeed}</span>
        </Button>
      )}
      {mayDelete(may, items) && (
        <Button kind="danger" icon="trash" onClick={onDelete}>
          {words.common.delete}
        </Button>
      )}
      {isAdding && (
        <Suspense fallback={<UnderWay />}>
          <AddToFeed items={items} onClose={() => setAdding(false)} onAdded={onClear} />
        </Suspense>
      )}
    </div>
  )
}

export function mayDelete(may: (permission: string) => boolean, items: readonly MediaItem[]): boolean {
  return items.every(({ kind }) => may(`${kind}s:delete`))
}
