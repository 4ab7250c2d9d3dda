export interface FeedActions {
  next(): void
  previous(): void
  home(): void
  toggle(): void
  mute(): void
}

const KEYS: Record<string, keyof FeedActions> = {
  ArrowDown: 'next',
  PageDown: 'next',
  ArrowUp: 'previous',
  PageUp: 'previous',
  Home: 'home',
  ' ': 'toggle',
  m: 'mute',
}

/** Keys are the feed's where it has the focus, and where nothing has it on a page that does not scroll itself. */
export function handleFeedKey(event: KeyboardEvent, feed: HTMLElement, actions: FeedActions): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  const path = event.composedPath()
  const target = path[0] as HTMLElement
  const isMeant = path.includes(feed) || (target === document.body && !doesPageScroll())
  const isTyped = target.isContentEditable || target.matches('input,textarea,select')
  // Buttons are pressed by space.
  const isPressed = event.key === ' ' && target.matches('button,a,summary')
  const action = KEYS[event.key]
  if (!isMeant || isTyped || isPressed || !action) return
  event.preventDefault()
  actions[action]()
}

function doesPageScroll(): boolean {
  const { scrollHeight, clientHeight } = document.scrollingElement ?? document.documentElement
  return scrollHeight > clientHeight + 1
}
