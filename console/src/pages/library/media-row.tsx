import { memo } from 'react'
import { CardSkeleton, MediaCard } from './media-card.tsx'
import styles from './media-grid.module.css'
import type { MediaItem } from './media-list.ts'
import { useTurn } from './use-turn.ts'

export const GAP = 16

interface MediaRowProps {
  row: number
  /** From the upper edge of the grid. */
  start: number
  height: number
  columns: number
  /** Of all rows. */
  items: readonly MediaItem[]
  /** How many there will be, with those that are being loaded. */
  expected: number
  /** Those that are chosen. */
  ids: ReadonlySet<string>
  /** Which one the keyboard is on, in the row that has it. */
  active: number | undefined
  canSelect: boolean
}

/** A row of the grid. A key changes two of them: the one it leaves and the one it comes to. */
export const MediaRow = memo((props: MediaRowProps) => {
  const { row, start, height, columns, items, expected, ids, active, canSelect } = props
  // Its places first, and what is in them when there is time: many rows at once are scrolled to.
  const isFilled = useTurn()
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the grid.
    <div
      role="row"
      aria-rowindex={row + 1}
      tabIndex={-1}
      className={styles.row}
      style={{
        // By its place and no transform: it never moves, and each would be one more thing to put together in a frame.
        top: start,
        height,
        gap: GAP,
        gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
      }}
    >
      {Array.from({ length: columns }, (_, column) => {
        const index = row * columns + column
        const item = items[index]
        if (!item) return index < expected && <CardSkeleton key={index} />
        return (
          <MediaCard
            key={item.id}
            item={item}
            index={index}
            column={column}
            isSelected={ids.has(item.id)}
            isActive={index === active}
            canSelect={canSelect}
            isFilled={isFilled}
          />
        )
      })}
    </div>
  )
})
