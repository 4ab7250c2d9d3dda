/** The pages by which shortcuts are listed, in their order. */
export const PLACES = [
  'everywhere',
  'library',
  'feed',
  'picker',
  'video',
  'player',
  'preview',
  'funnels',
  'text',
] as const
type Place = (typeof PLACES)[number]

interface Shortcut {
  place: Place
  /** Each by itself does it. `mod` is ⌘ on a Mac, `jump` ⌥, both Ctrl elsewhere; with a space, one key after the other. */
  keys: readonly string[]
  /** Also while somebody writes. */
  isAlways?: boolean
  /** Also while something is open above the page. */
  isAbove?: boolean
}

/**
 * Every shortcut of the console. What handles keys asks this list, and the help shows it, so that they cannot differ; the
 * player and the feed, which are not part of the console, have their own (packages/player/src/keyboard.ts, feed-keyboard.ts).
 */
export const SHORTCUTS = {
  palette: { place: 'everywhere', keys: ['mod+k'], isAlways: true },
  search: { place: 'everywhere', keys: ['/'] },
  help: { place: 'everywhere', keys: ['?'] },
  undo: { place: 'everywhere', keys: ['mod+z'], isAbove: true },
  goStart: { place: 'everywhere', keys: ['g s'] },
  goLibrary: { place: 'everywhere', keys: ['g l'] },
  goFeeds: { place: 'everywhere', keys: ['g f'] },
  goAnalytics: { place: 'everywhere', keys: ['g a'] },
  goSettings: { place: 'everywhere', keys: ['g e'] },
  clearSearch: { place: 'library', keys: ['Escape'] },
  left: { place: 'library', keys: ['ArrowLeft'] },
  right: { place: 'library', keys: ['ArrowRight'] },
  up: { place: 'library', keys: ['ArrowUp'] },
  down: { place: 'library', keys: ['ArrowDown'] },
  rowStart: { place: 'library', keys: ['Home'] },
  rowEnd: { place: 'library', keys: ['End'] },
  pageUp: { place: 'library', keys: ['PageUp'] },
  pageDown: { place: 'library', keys: ['PageDown'] },
  first: { place: 'library', keys: ['mod+Home'] },
  last: { place: 'library', keys: ['mod+End'] },
  open: { place: 'library', keys: ['Enter'] },
  select: { place: 'library', keys: ['Space'] },
  selectAll: { place: 'library', keys: ['mod+a'] },
  selectNone: { place: 'library', keys: ['Escape'] },
  delete: { place: 'library', keys: ['Delete'] },
  feedTabs: { place: 'feed', keys: ['ArrowLeft', 'ArrowRight'] },
  takePost: { place: 'feed', keys: ['Space', 'Enter'] },
  postUp: { place: 'feed', keys: ['ArrowUp'] },
  postDown: { place: 'feed', keys: ['ArrowDown'] },
  postFirst: { place: 'feed', keys: ['Home'] },
  postLast: { place: 'feed', keys: ['End'] },
  leavePost: { place: 'feed', keys: ['Escape'] },
  toPick: { place: 'picker', keys: ['ArrowDown', 'Enter'] },
  pickLeft: { place: 'picker', keys: ['ArrowLeft'] },
  pickRight: { place: 'picker', keys: ['ArrowRight'] },
  pickUp: { place: 'picker', keys: ['ArrowUp'] },
  pickDown: { place: 'picker', keys: ['ArrowDown'] },
  pick: { place: 'picker', keys: ['Space'] },
  addPicked: { place: 'picker', keys: ['mod+Enter'] },
  play: { place: 'player', keys: ['Space', 'k'] },
  skipBack: { place: 'player', keys: ['j', 'ArrowLeft'] },
  skipOn: { place: 'player', keys: ['l', 'ArrowRight'] },
  chapters: { place: 'player', keys: ['jump+ArrowLeft', 'jump+ArrowRight'] },
  skipTo: { place: 'player', keys: ['0–9'] },
  ends: { place: 'player', keys: ['Home', 'End'] },
  frames: { place: 'player', keys: [',', '.'] },
  speed: { place: 'player', keys: ['<', '>'] },
  volume: { place: 'player', keys: ['ArrowUp', 'ArrowDown'] },
  mute: { place: 'player', keys: ['m'] },
  captions: { place: 'player', keys: ['c'] },
  fullscreen: { place: 'player', keys: ['f'] },
  pip: { place: 'player', keys: ['i'] },
  previewPost: { place: 'preview', keys: ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'] },
  previewFirst: { place: 'preview', keys: ['Home'] },
  previewPlay: { place: 'preview', keys: ['Space'] },
  previewMute: { place: 'preview', keys: ['m'] },
  stepUp: { place: 'funnels', keys: ['Alt+ArrowUp'] },
  stepDown: { place: 'funnels', keys: ['Alt+ArrowDown'] },
  seekBack: { place: 'video', keys: ['ArrowLeft', 'ArrowDown'] },
  seekOn: { place: 'video', keys: ['ArrowRight', 'ArrowUp'] },
  seekStart: { place: 'video', keys: ['Home'] },
  seekEnd: { place: 'video', keys: ['End'] },
  chapterBack: { place: 'video', keys: ['ArrowLeft', 'ArrowDown'] },
  chapterOn: { place: 'video', keys: ['ArrowRight', 'ArrowUp'] },
  keepText: { place: 'text', keys: ['Enter'] },
  revertText: { place: 'text', keys: ['Escape'] },
} as const satisfies Record<string, Shortcut>

export type ShortcutId = keyof typeof SHORTCUTS

export const shortcutOf = (id: ShortcutId): Shortcut => SHORTCUTS[id]

interface Pressed {
  key: string
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
}

/** Whether these keys are pressed. Shift is part of the key that it makes, or extends what the key does. */
export function isPressed(event: Pressed, id: ShortcutId): boolean {
  return shortcutOf(id).keys.includes(pressedOf(event))
}

/** What is pressed, as the list writes it. */
export function pressedOf({ key, altKey, ctrlKey, metaKey }: Pressed): string {
  const name = key === ' ' ? 'Space' : key.length === 1 ? key.toLowerCase() : key
  return `${ctrlKey || metaKey ? 'mod+' : ''}${altKey ? 'Alt+' : ''}${name}`
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
const SYMBOLS: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  jump: isMac ? '⌥' : 'Ctrl',
  Alt: isMac ? '⌥' : 'Alt',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  PageUp: 'Page ↑',
  PageDown: 'Page ↓',
}

/** The keys as they are written on a keyboard: those of one stroke together, strokes one after the other. */
export function strokesOf(keys: string): string[][] {
  return keys
    .split(' ')
    .map((stroke) =>
      stroke.split('+').map((key) => SYMBOLS[key] ?? (key.length === 1 ? key.toUpperCase() : key)),
    )
}
