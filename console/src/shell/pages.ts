import type { IconName } from '../components/icons.tsx'
import type { May } from '../session/permissions.ts'
import type { ShortcutId } from '../shortcuts/shortcuts.ts'

export type PageId = 'start' | 'library' | 'feeds' | 'analytics' | 'settings'

interface ShellPage {
  id: PageId & IconName
  shortcut: ShortcutId
  /** Shown to those who hold any of these; to everybody where there are none. */
  permissions: string[]
}

/** The pages of a project in their order: the navigation, the palette and the keys all have them from here. */
const PAGES: ShellPage[] = [
  { id: 'start', shortcut: 'goStart', permissions: ['videos:write', 'images:write', 'keys:write'] },
  { id: 'library', shortcut: 'goLibrary', permissions: ['videos:read', 'images:read'] },
  { id: 'feeds', shortcut: 'goFeeds', permissions: ['feeds:read'] },
  { id: 'analytics', shortcut: 'goAnalytics', permissions: ['analytics:read'] },
  { id: 'settings', shortcut: 'goSettings', permissions: [] },
]

export function pagesFor(may: May): ShellPage[] {
  return PAGES.filter(({ permissions }) => permissions.length === 0 || permissions.some(may))
}
