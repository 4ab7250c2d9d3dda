import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const NAME = 'marquee.theme'
const listeners = new Set<() => void>()
let chosen = keptTheme()

/** A browser that keeps nothing has the theme of the system. */
function keptTheme(): Theme {
  try {
    const kept = localStorage.getItem(NAME)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system'
  }
}

/** The theme that was chosen, wherever that was done. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => chosen)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function applyTheme(): void {
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
}

export function chooseTheme(theme: Theme): void {
  chosen = theme
  applyTheme()
  for (const listener of listeners) listener()
  try {
    localStorage.setItem(NAME, theme)
  } catch {
    // It holds until the page is left.
  }
}
