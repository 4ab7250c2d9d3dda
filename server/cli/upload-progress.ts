import type { UploadProgress } from '../../packages/client/src/node.ts'

const WIDTH = 24
const REDRAW_MS = 100
const LONGEST_NAME = 32
/** Percent between two lines where nobody can see a bar move. */
const STEP = 25

export interface ProgressLines {
  show(index: number, progress: UploadProgress): void
  end(index: number): void
  close(): void
}

/** A bar for each file on a terminal, on stderr; elsewhere a line now and then. */
export function progressLines(names: string[], out: NodeJS.WriteStream = process.stderr): ProgressLines {
  return out.isTTY ? bars(names, out) : plainLines(names, out)
}

function plainLines(names: string[], out: NodeJS.WriteStream): ProgressLines {
  const told = names.map(() => 0)
  return {
    show(index, { sent, total }) {
      const step = total ? Math.floor((sent * 100) / total / STEP) * STEP : 0
      if (step <= told[index]!) return
      told[index] = step
      out.write(`${names[index]}: ${step}% of ${megabytes(total!)} sent\n`)
    },
    end: () => {},
    close: () => {},
  }
}

function bars(names: string[], out: NodeJS.WriteStream): ProgressLines {
  const width = Math.min(LONGEST_NAME, Math.max(...names.map((name) => name.length)))
  const states = new Map<number, UploadProgress>()
  let drawn = 0
  let last = 0
  function draw(): void {
    const lines = [...states].map(([index, progress]) =>
      // A line that wraps would be two, and the way back to the first of them too short.
      `${names[index]!.slice(0, width).padEnd(width)}  ${barOf(progress)}`.slice(0, (out.columns || 80) - 1),
    )
    // Back to the first line, and over each of them anew.
    out.write(`${drawn > 0 ? `\x1b[${drawn}A` : ''}${lines.map((line) => `\x1b[2K${line}\n`).join('')}\x1b[J`)
    drawn = lines.length
    last = performance.now()
  }
  return {
    show(index, progress) {
      states.set(index, progress)
      if (performance.now() - last > REDRAW_MS) draw()
    },
    end: draw,
    close: draw,
  }
}

function barOf({ sent, total = sent, speed, secondsLeft }: UploadProgress): string {
  const share = total > 0 ? sent / total : 1
  const full = Math.round(share * WIDTH)
  const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full)
  const left = secondsLeft === undefined || share === 1 ? '' : `  ${Math.ceil(secondsLeft)} s left`
  return `${bar} ${String(Math.floor(share * 100)).padStart(3)}%  ${megabytes(sent)}  ${megabytes(speed)}/s${left}`
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
