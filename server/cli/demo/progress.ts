import { overwrittenLine } from '../overwritten-line.ts'

const WIDTH = 24

/** What is being done, on stderr: a bar on a terminal, elsewhere a line for each thing that is done. */
export interface StepLines {
  show(label: string, share: number): void
  done(label: string): void
}

export function progressOn(out: NodeJS.WriteStream = process.stderr): StepLines {
  const line = overwrittenLine(out)
  return {
    show(label, share) {
      line.show(() => {
        const full = Math.round(Math.min(1, share) * WIDTH)
        const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full)
        return `${bar} ${String(Math.floor(share * 100)).padStart(3)}%  ${label}`
      })
    },
    done(label) {
      line.clear()
      out.write(`${label}\n`)
    },
  }
}
