import { useNavigate } from '@tanstack/react-router'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type MouseEvent,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { afterPaint } from '../../after-paint.ts'
import { Failure } from '../../components/failure.tsx'
import { useProject } from '../../session/use-project.ts'
import { isPressed, type ShortcutId } from '../../shortcuts/shortcuts.ts'
import { words } from '../../words.ts'
import cards from './media-card.module.css'
import styles from './media-grid.module.css'
import type { useMediaList } from './media-list.ts'
import { GAP, MediaRow } from './media-row.tsx'
import type { Selection } from './use-selection.ts'

const SMALLEST = 240
/** Name and facts below a picture, and the distance to the next row. */
const CAPTION = 8 + 24 + 20 + 24
/** What is pinned to the upper and lower edge. */
const PINNED = { start: 140, end: 88 }

interface MediaGridProps {
  list: ReturnType<typeof useMediaList>
  /** What the list was asked for: another one begins at its beginning. */
  looked: string
  selection: Selection
  canSelect: boolean
}

/** Rows of cards, of which only those in view are there, however many there are. */
export function MediaGrid({ list, looked, selection, canSelect }: MediaGridProps) {
  const { items, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const element = useRef<HTMLDivElement>(null)
  const { columns, cell, top } = useLayout(element)
  const { active, activeNow, setActive } = useActive(items.length, looked)
  const isMoved = useRef(false)
  const navigate = useNavigate()
  const { projectId } = useProject()

  const expected = list.isPending
    ? columns * 3
    : items.length + (hasNextPage && !isFetchNextPageError ? columns * 2 : 0)
  const rows = Math.ceil(expected / columns)
  const activeRow = Math.floor(active / columns)
  const height = (cell * 9) / 16 + CAPTION
  const virtualizer = useWindowVirtualizer({
    count: rows,
    estimateSize: () => height,
    overscan: 2,
    scrollMargin: top,
    scrollPaddingStart: PINNED.start,
    scrollPaddingEnd: PINNED.end,
    useFlushSync: false,
    // The card that the keyboard is on stays, so that the focus is not lost when it is scrolled away.
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range)
      if (activeRow >= rows || seen.includes(activeRow)) return seen
      return [...seen, activeRow].sort((a, b) => a - b)
    },
  })
  useLayoutEffect(() => virtualizer.measure(), [height, columns])

  const visible = virtualizer.getVirtualItems()
  const last = virtualizer.range?.endIndex ?? 0
  const isNearEnd = (last + 4) * columns >= items.length
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [isNearEnd, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])

  const cardAt = (index: number) => element.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)

  // The focus follows the keyboard, and nothing else. Here to a card that was not there when its key was pressed.
  useLayoutEffect(() => {
    if (!isMoved.current) return
    isMoved.current = false
    cardAt(active)?.focus({ preventScroll: true })
  }, [active])

  // What was marked before it was rendered, and then taken back, is unknown to React.
  useLayoutEffect(() => {
    for (const card of element.current!.querySelectorAll<HTMLElement>('[data-index]'))
      card.ariaSelected = String(selection.ids.has(items[Number(card.dataset.index)]?.id ?? ''))
  }, [selection.ids])

  function move(to: number, isRange: boolean): void {
    const from = activeNow()
    const index = Math.max(0, Math.min(items.length - 1, to))
    if (isRange && canSelect) selection.extendTo(index, from)
    if (index === from) return
    const offset = scrollTarget(virtualizer, top + Math.floor(index / columns) * height, height)
    if (offset !== undefined) scrollTo({ top: offset, behavior: 'instant' })
    const card = cardAt(index)
    card?.focus({ preventScroll: true })
    isMoved.current = !card
    setActive(index)
  }

  function toggle(index: number): void {
    const card = cardAt(index)
    if (card) card.ariaSelected = String(card.ariaSelected !== 'true')
    selection.toggle(index)
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const active = activeNow()
    const inRow = active % columns
    const screen = columns * rowsOfScreen(virtualizer, height)
    const steps: [ShortcutId, number][] = [
      ['left', active - 1],
      ['right', active + 1],
      ['up', active - columns],
      ['down', active + columns],
      ['rowStart', active - inRow],
      ['rowEnd', active - inRow + columns - 1],
      ['pageUp', Math.max(inRow, active - screen)],
      ['pageDown', active + screen],
      ['first', 0],
      ['last', items.length - 1],
    ]
    const step = steps.find(([id]) => isPressed(event, id))
    if (step) {
      if (step[1] >= 0) move(step[1], event.shiftKey)
    } else if (isPressed(event, 'select') && canSelect) toggle(active)
    else if (isPressed(event, 'open')) open(active)
    else return
    event.preventDefault()
  }

  function open(index: number): void {
    const item = items[index]
    if (item?.kind === 'video')
      void navigate({ to: '/$projectId/videos/$videoId', params: { projectId, videoId: item.id } })
    else if (item)
      void navigate({ to: '/$projectId/images/$imageId', params: { projectId, imageId: item.id } })
  }

  function onClick(event: MouseEvent<HTMLDivElement>): void {
    const target = event.target as HTMLElement
    const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset.index ?? -1)
    if (index < 0) return
    const isCheck = target instanceof HTMLInputElement
    // Its label tells of the same click once more, by the box itself.
    if (!isCheck && target.closest('label')) return
    setActive(index)
    if (event.shiftKey && canSelect) selection.extendTo(index, index)
    else if (canSelect && (isCheck || event.ctrlKey || event.metaKey || selection.now().size > 0))
      toggle(index)
    else open(index)
    if (!isCheck) event.preventDefault()
  }

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a table cannot be laid out in rows of cards that come and go. */}
      <div
        ref={element}
        role="grid"
        tabIndex={-1}
        aria-label={words.library.grid}
        aria-multiselectable={canSelect}
        aria-rowcount={hasNextPage ? -1 : rows}
        aria-colcount={columns}
        aria-busy={list.isPending}
        className={[styles.grid, selection.ids.size > 0 && cards.selecting].filter(Boolean).join(' ')}
        data-old={list.isPlaceholderData || undefined}
        style={{ height: rows * height }}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        {visible.map(({ index: row, start }) => (
          <MediaRow
            key={row}
            row={row}
            start={start - top}
            height={height}
            columns={columns}
            items={items}
            expected={expected}
            ids={selection.ids}
            active={row === activeRow ? active : undefined}
            canSelect={canSelect}
          />
        ))}
      </div>
      {isFetchNextPageError && <Failure error={list.error} reset={() => void fetchNextPage()} />}
    </>
  )
}

/**
 * Where the page is to be scrolled to, so that a row from there on is seen whole between what is pinned to the edges. The
 * virtualizer would ask how far the page can be scrolled, and have it laid out once more.
 */
function scrollTarget(
  { scrollOffset, scrollRect }: ReturnType<typeof useWindowVirtualizer>,
  start: number,
  height: number,
): number | undefined {
  if (scrollOffset === null || !scrollRect) return start - PINNED.start
  const [first, last] = [start - PINNED.start, start + height + PINNED.end - scrollRect.height]
  if (scrollOffset > first) return first
  return scrollOffset < last ? last : undefined
}

/** How many rows are seen whole between what is pinned to the edges, and at least one. */
function rowsOfScreen({ scrollRect }: ReturnType<typeof useWindowVirtualizer>, height: number): number {
  const seen = (scrollRect?.height ?? 0) - PINNED.start - PINNED.end
  return Math.max(1, Math.floor(seen / height))
}

/** Where the keyboard is. Nothing outside of the grid changes with it, and what is in it a frame later. */
function useActive(length: number, looked: string) {
  const [shown, setShown] = useState(0)
  const now = useRef(0)
  const clamp = (index: number) => Math.min(index, Math.max(0, length - 1))
  function setActive(index: number): void {
    now.current = index
    afterPaint(() => startTransition(() => setShown(now.current)))
  }
  useEffect(() => setActive(0), [looked])
  return { active: clamp(shown), activeNow: () => clamp(now.current), setActive }
}

/** How many columns there is room for, how wide they are, and where the grid begins on the page. */
function useLayout(element: React.RefObject<HTMLDivElement | null>) {
  const [layout, setLayout] = useState({ columns: 1, cell: SMALLEST, top: 0 })
  useLayoutEffect(() => {
    const grid = element.current!
    function measure(): void {
      const { width, top } = grid.getBoundingClientRect()
      const columns = Math.max(1, Math.floor((width + GAP) / (SMALLEST + GAP)))
      const next = { columns, cell: (width - GAP * (columns - 1)) / columns, top: Math.round(top + scrollY) }
      setLayout((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(grid)
    return () => observer.disconnect()
  }, [element])
  return layout
}
