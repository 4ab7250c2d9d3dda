import { readFileSync } from 'node:fs'

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

/** Processor time that a process and all below it have used so far; 0 once they are gone. */
export function cpuMilliseconds(pid: number): number {
  return [pid, ...descendants(pid)].reduce((sum, one) => {
    // proc(5): the name in brackets may hold anything; utime and stime are the 12th and 13th after it.
    const fields = read(`/proc/${one}/stat`).split(') ').at(-1)!.split(' ')
    return sum + (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * MS_PER_TICK
  }, 0)
}

/** USER_HZ, which Linux keeps at 100 for whoever reads it. */
const MS_PER_TICK = 10

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
