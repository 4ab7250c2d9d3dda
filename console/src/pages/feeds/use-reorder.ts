import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { isPressed } from '../../shortcuts/shortcuts.ts'
import { words } from '../../words.ts'

const text = words.feeds.order

interface Reordered {
  id: string
  title: string
}

interface Grab {
  id: string
  from: number
  to: number
  /** How far it was pulled; keys put it exactly into its place. */
  pulled: number | undefined
}

/** So near to the edge of the screen, and so fast, the page is scrolled while something is pulled. */
const EDGE = 72
const STEP = 10

/**
 * Puts a list into another order: by pulling a handle with a mouse or a finger, or by keys. Rows keep their places in the
 * document until one is dropped, so that neither the focus nor the finger loses its element; till then they are only shown elsewhere.
 */
export function useReorder(
  list: RefObject<HTMLElement | null>,
  items: readonly Reordered[],
  onDrop: (id: string, to: number) => void,
) {
  const [grab, setGrab] = useState<Grab>()
  const [said, setSaid] = useState('')
  /** Where the rows are while one is held, from the top of the list. */
  const boxes = useRef<{ top: number; height: number }[]>([])
  const pointer = useRef<{ id: number; startY: number; y: number }>(undefined)
  const dropped = useRef<string>(undefined)
  const latest = useRef({ grab, items })
  latest.current = { grab, items }
  const handleOf = (id: string) => list.current?.querySelector<HTMLElement>(`[data-handle="${id}"]`)

  // Its row is another place of the document now; whoever uses keys stays on it.
  useLayoutEffect(() => {
    if (!dropped.current) return
    handleOf(dropped.current)?.focus({ preventScroll: true })
    dropped.current = undefined
  })

  function take(index: number, pulled?: number): void {
    const { top } = list.current!.getBoundingClientRect()
    boxes.current = [...list.current!.children].map((row) => {
      const box = row.getBoundingClientRect()
      return { top: box.top - top, height: box.height }
    })
    const { id, title } = items[index]!
    setGrab({ id, from: index, to: index, pulled })
    setSaid(text.grabbed(title, index + 1, items.length))
  }

  function end(isDropped: boolean): void {
    const { grab, items } = latest.current
    if (!grab) return
    pointer.current = undefined
    setGrab(undefined)
    const { title } = items[grab.from]!
    if (!isDropped || grab.to === grab.from) {
      setSaid(text.back(title, grab.from + 1))
      return
    }
    if (grab.pulled === undefined) dropped.current = grab.id
    setSaid(text.dropped(title, grab.to + 1, items.length))
    onDrop(grab.id, grab.to)
  }

  function moveTo(to: number): void {
    if (!grab || to < 0 || to >= items.length) return
    setGrab({ ...grab, to })
    setSaid(text.at(to + 1, items.length))
  }

  function pull(): void {
    const { grab } = latest.current
    if (!grab || !pointer.current) return
    const pulled = pointer.current.y + scrollY - pointer.current.startY
    const held = boxes.current[grab.from]!
    const middle = held.top + pulled + held.height / 2
    const others = boxes.current.filter((_, i) => i !== grab.from)
    // It takes another's place when its middle is on the other.
    const to = others.filter(({ top, height }, i) => middle > (i < grab.from ? top + height : top)).length
    setGrab({ ...grab, pulled, to })
  }

  const isPulled = grab?.pulled !== undefined
  useEffect(() => {
    if (!isPulled) return
    let frame = requestAnimationFrame(function scroll() {
      const { y } = pointer.current ?? { y: innerHeight / 2 }
      const by = y < EDGE ? -STEP : y > innerHeight - EDGE ? STEP : 0
      if (by) {
        scrollBy(0, by)
        pull()
      }
      frame = requestAnimationFrame(scroll)
    })
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (!isPressed(event, 'leavePost')) return
      event.preventDefault()
      end(false)
    }
    addEventListener('keydown', onKeyDown)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('keydown', onKeyDown)
    }
  }, [isPulled])

  const handleProps = (index: number) => ({
    'data-handle': items[index]!.id,
    'aria-label': text.handle(items[index]!.title),
    'aria-pressed': grab?.id === items[index]!.id,
    // A press of a key, or of whatever reads the page aloud, is a click without a place.
    onClick: ({ detail }: { detail: number }) => {
      if (detail > 0) return
      if (grab) end(true)
      else take(index)
    },
    onKeyDown(event: KeyboardEvent) {
      if (!grab || grab.pulled !== undefined) return
      const ways = { postUp: grab.to - 1, postDown: grab.to + 1, postFirst: 0, postLast: items.length - 1 }
      const way = (Object.keys(ways) as (keyof typeof ways)[]).find((id) => isPressed(event, id))
      if (way) moveTo(ways[way])
      else if (isPressed(event, 'leavePost')) end(false)
      else return
      event.preventDefault()
      event.stopPropagation()
    },
    onBlur: () => grab?.pulled === undefined && end(false),
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (!event.isPrimary || event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      pointer.current = { id: event.pointerId, startY: event.clientY + scrollY, y: event.clientY }
      take(index, 0)
    },
    onPointerMove({ pointerId, clientY }: PointerEvent) {
      if (pointer.current?.id !== pointerId) return
      pointer.current.y = clientY
      pull()
    },
    onPointerUp: ({ pointerId }: PointerEvent) => pointer.current?.id === pointerId && end(true),
    onPointerCancel: ({ pointerId }: PointerEvent) => pointer.current?.id === pointerId && end(false),
  })

  /** How far from its place in the document a row is shown. */
  function shiftOf(index: number): number {
    if (!grab) return 0
    const { from, to, pulled } = grab
    const heights = (first: number, end: number) =>
      boxes.current.slice(first, end).reduce((sum, { height }) => sum + height, 0)
    if (index === from) return pulled ?? (to > from ? heights(from + 1, to + 1) : -heights(to, from))
    const height = boxes.current[from]!.height
    if (index > from && index <= to) return -height
    return index < from && index >= to ? height : 0
  }

  const rowProps = (index: number) => ({
    'data-grabbed': grab?.from === index ? (isPulled ? 'pulled' : 'held') : undefined,
    style: grab ? { transform: `translateY(${shiftOf(index)}px)` } : undefined,
  })

  return { isHeld: grab !== undefined, said, rowProps, handleProps }
}
