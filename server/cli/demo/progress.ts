const WIDTH = 24
const REDRAW_MS = 100

/** What is being done, on stderr: a bar on a terminal, elsewhere a line for each thing that is done. */
export interface StepLines {
  show(label: string, share: number): void
  done(label: string): void
}

export function progressOn(out: NodeJS.WriteStream = process.stderr): StepLines {
  let last = 0
  return {
    show(label, share) {
      if (!out.isTTY || performance.now() - last < REDRAW_MS) return
      last = performance.now()
      const full = Math.round(Math.min(1, share) * WIDTH)
      const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full)
      const line = `${bar} ${String(Math.floor(share * 100)).padStart(3)}%  ${label}`
      out.write(`\r\x1b[2K${line.slice(0, (out.columns || 80) - 1)}`)
    },
    done: (label) => void out.write(`${out.isTTY ? '\r\x1b[2K' : ''}${label}\n`),
  }
}
