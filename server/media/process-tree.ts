import { readFileSync } from 'node:fs'

/** Every living process below the given one. */
export function descendants(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  return children.flatMap((child) => [child, ...descendants(child)])
}

/** Memory that a process and all below it really occupy; 0 once they are gone. */
export function residentBytes(pid: number): number {
  return [pid, ...descendants(pid)].reduce((sum, one) => {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${one}/status`))?.[1]
    return sum + Number(kibibytes ?? 0) * 1024
  }, 0)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
