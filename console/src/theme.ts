export type Theme = 'system' | 'light' | 'dark'

const NAME = 'marquee.theme'

/** A browser that keeps nothing has the theme of the system. */
export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(NAME)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system'
  }
}

export function applyTheme(theme: Theme = chosenTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function chooseTheme(theme: Theme): void {
  applyTheme(theme)
  try {
    localStorage.setItem(NAME, theme)
  } catch {
    // It holds until the page is left.
  }
}
