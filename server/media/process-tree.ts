import { readdirSync, readFileSync } from 'node:fs'

/** The living processes that the main thread of a process has started. */
export function children(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

/** Every living process below the given one. */
export function descendants(pid: number): number[] {
  return children(pid).flatMap((child) => [child, ...descendants(child)])
}

/** Memory that a process and all below it really occupy; 0 once they are gone. */
export function residentBytes(pid: number): number {
  return [pid, ...descendants(pid)].reduce((sum, one) => {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${one}/status`))?.[1]
    return sum + Number(kibibytes ?? 0) * 1024
  }, 0)
}

/** Processor time that a process and all below it have used so far, those included that it has waited for; 0 once they are gone. */
export function cpuMilliseconds(pid: number): number {
  return [pid, ...descendants(pid)].reduce((sum, one) => sum + statOf(`/proc/${one}/stat`).cpuMs, 0)
}

/** Whether any thread of a process, or of one below it, has work and waits for a processor or a disk. */
export function isHeldUp(pid: number): boolean {
  return [pid, ...descendants(pid)].some((one) =>
    threads(one).some((thread) => 'RD'.includes(statOf(thread).state)),
  )
}

/** USER_HZ, which Linux keeps at 100 for whoever reads it. */
const MS_PER_TICK = 10

function threads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/stat`)
  } catch {
    return []
  }
}

/** proc_pid_stat(5): the name, in brackets, may hold anything, so fields are counted from its end. */
function statOf(file: string): { state: string; cpuMs: number } {
  const text = read(file)
  const [state = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  // utime, stime, cutime and cstime.
  const ticks = fields.slice(10, 14).reduce((sum, field) => sum + Number(field), 0)
  return { state: state || 'gone', cpuMs: ticks * MS_PER_TICK }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
