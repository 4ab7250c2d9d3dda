const NAME = 'marquee.notes'

/** Notes for whoever sees this tab after it has been loaded anew, kept by the browser until then. */
export function keepNote(text: string): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify([...read(), text]))
  } catch {
    // A browser that keeps nothing shows none.
  }
}

/** Read once, as the page is loaded. */
export const keptNotes: readonly string[] = read()
if (keptNotes.length > 0) sessionStorage.removeItem(NAME)

function read(): string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(NAME) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}
