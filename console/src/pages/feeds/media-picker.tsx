import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { Icon } from '../../components/icons.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatNumber } from '../../format.ts'
import { usePermission, useProject } from '../../session/use-project.ts'
import { isPressed } from '../../shortcuts/shortcuts.ts'
import { words } from '../../words.ts'
import type { MediaItem } from '../library/media-list.ts'
import styles from './media-picker.module.css'
import { PickerItem } from './picker-item.tsx'
import { choosableIn, type Feed } from './queries.ts'
import { useAdding, useChoosable, usePaused } from './use-choice.ts'

const text = words.feeds.picker

/** Adds videos and images of the library to a feed, several at once. */
export function MediaPicker({ feed, onClose }: { feed: Feed; onClose: () => void }) {
  const { projectId } = useProject()
  const [typed, setTyped] = useState('')
  const { only } = choosableIn(feed, usePermission())
  const [kind, setKind] = useState(only)
  const q = usePaused(typed)
  const list = useChoosable(q, kind)
  const items = list.data?.pages.flatMap((page) => page.data) ?? []
  const { isIn, add } = useAdding(feed)
  /** In the order in which they were chosen. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, MediaItem>>(new Map())
  const [active, setActive] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const grid = useRef<HTMLDivElement>(null)
  const place = Math.min(active, Math.max(0, items.length - 1))

  function toggle(item: MediaItem): void {
    const next = new Map(chosen)
    if (!next.delete(item.id)) next.set(item.id, item)
    setChosen(next)
  }

  async function submit(): Promise<void> {
    if (chosen.size === 0 || isBusy) return
    setBusy(true)
    try {
      await add([...chosen.values()])
      onClose()
    } catch (error) {
      setProblem(error)
      setBusy(false)
    }
  }

  function focus(index: number): void {
    const to = Math.max(0, Math.min(items.length - 1, index))
    setActive(to)
    grid.current?.querySelectorAll('input')[to]?.focus()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isPressed(event, 'addPicked')) void submit()
    else if (event.target instanceof HTMLInputElement && event.target.type === 'search') {
      if (!isPressed(event, 'toPick')) return
      focus(place)
    } else {
      const columns = columnsOf(grid.current)
      const ways = { pickLeft: -1, pickRight: 1, pickUp: -columns, pickDown: columns }
      const way = (Object.keys(ways) as (keyof typeof ways)[]).find((id) => isPressed(event, id))
      const by = way && ways[way]
      if (by === undefined || !(event.target instanceof HTMLInputElement)) return
      if (place + by >= 0 && place + by < items.length) focus(place + by)
    }
    event.preventDefault()
  }

  return (
    <Dialog
      title={text.open}
      isOpen
      isWide
      isBusy={isBusy}
      onClose={onClose}
      actions={
        <>
          <p className={styles.count} role="status">
            {chosen.size > 0 && text.chosen(formatNumber(chosen.size))}
          </p>
          <Button onClick={onClose} disabled={isBusy}>
            {words.common.cancel}
          </Button>
          <Button kind="primary" disabled={chosen.size === 0} isBusy={isBusy} onClick={() => void submit()}>
            {text.add(chosen.size)}
          </Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears the keys of all that is in it. */}
      <div className={styles.picker} onKeyDown={onKeyDown}>
        <div className={styles.bar}>
          <label className={styles.search}>
            <Icon name="search" />
            <input
              type="search"
              value={typed}
              maxLength={200}
              placeholder={text.search}
              aria-label={text.search}
              onChange={({ target }) => setTyped(target.value)}
            />
          </label>
          {!only && (
            <select
              aria-label={text.kind}
              value={kind ?? ''}
              onChange={({ target }) => setKind((target.value || undefined) as typeof kind)}
            >
              <option value="">{text.all}</option>
              <option value="video">{words.feeds.videos}</option>
              <option value="image">{words.feeds.images}</option>
            </select>
          )}
        </div>
        <Problem error={problem} />
        {list.isError ? (
          <Failure error={list.error} reset={() => void list.refetch()} />
        ) : list.isSuccess && items.length === 0 ? (
          <div className={styles.nothing}>
            <p>{q || kind ? text.nothing : text.empty}</p>
            {!q && !kind && (
              <Link to="/$projectId/library" params={{ projectId }}>
                {text.toLibrary}
              </Link>
            )}
          </div>
        ) : (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid that scrolls.
          <div
            ref={grid}
            role="group"
            aria-label={text.grid}
            className={styles.grid}
            aria-busy={list.isPending || list.isPlaceholderData}
          >
            {list.isPending
              ? Array.from({ length: 12 }, (_, i) => <Skeleton key={i} height={132} />)
              : items.map((item, i) => (
                  <PickerItem
                    key={item.id}
                    item={item}
                    isIn={isIn(item)}
                    isChosen={chosen.has(item.id)}
                    tabIndex={i === place ? 0 : -1}
                    onFocus={() => setActive(i)}
                    onToggle={() => toggle(item)}
                  />
                ))}
            {list.hasNextPage && <More key={items.length} onSeen={() => void list.fetchNextPage()} />}
          </div>
        )}
      </div>
    </Dialog>
  )
}

/** As many as are in the first line. */
function columnsOf(grid: HTMLElement | null): number {
  const [first, ...others] = [...(grid?.children ?? [])] as HTMLElement[]
  const end = others.findIndex(({ offsetTop }) => offsetTop > first!.offsetTop)
  return end < 0 ? others.length + 1 : end + 1
}

/** Asks for the next page when somebody has scrolled to it. */
function More({ onSeen }: { onSeen: () => void }) {
  const element = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry!.isIntersecting && onSeen())
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [])
  return <span ref={element} className={styles.more} />
}
