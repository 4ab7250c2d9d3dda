import type { BackupProgress } from '../../backup/index.ts'
import { overwrittenLine } from '../overwritten-line.ts'

export function progressOn(out: NodeJS.WriteStream = process.stderr): {
  show: BackupProgress
  close(): void
} {
  const line = overwrittenLine(out)
  return {
    show(step, done, bytes) {
      line.show(() => `${step}: ${done}${bytes === undefined ? '' : `, ${(bytes / 1e6).toFixed(1)} MB`}`)
    },
    close: line.clear,
  }
}
