const REDRAW_MS = 100
const CLEARED = '\r\x1b[2K'

/** One line that is written over on a terminal; nothing elsewhere, where nobody watches. */
export interface OverwrittenLine {
  show(text: () => string): void
  clear(): void
}

export function overwrittenLine(out: NodeJS.WriteStream): OverwrittenLine {
  let last = 0
  let isDrawn = false
  return {
    show(text) {
      if (!out.isTTY || performance.now() - last < REDRAW_MS) return
      last = performance.now()
      out.write(`${CLEARED}${text().slice(0, (out.columns || 80) - 1)}`)
      isDrawn = true
    },
    clear() {
      if (isDrawn) out.write(CLEARED)
      isDrawn = false
    },
  }
}
