import { readdirSync, readFileSync } from 'node:fs'

/** kill -9 of every child that decodes images; one that has just ended by itself is no failure. */
export function killImageChildren(): void {
  for (const pid of imageChildren())
    try {
      process.kill(pid, 'SIGKILL')
    } catch {}
}

/** Processes of this test's own pool: its children, seen from outside. */
function imageChildren(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(
      (pid) =>
        pid > 0 && commandOf(pid).includes('media/images/child/main.ts') && descendsFrom(pid, process.pid),
    )
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function descendsFrom(pid: number, ancestor: number): boolean {
  for (let current = pid; current > 1; ) {
    if (current === ancestor) return true
    try {
      current = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${current}/status`, 'utf8'))![1])
    } catch {
      return false
    }
  }
  return false
}
