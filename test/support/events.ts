import { readdirSync, readFileSync } from 'node:fs'
import type { Api } from './api.ts'
import type { TestService } from './service.ts'

/** A video's id that nobody else has. */
export const videoOf = (number: number) => `vid_${String(number).padStart(26, '0')}`

/** So many views of a video, as one request. */
export function watching(video: string, events: number, more: object = {}): object {
  const timestamp = new Date().toISOString()
  const one = { timestamp, content_view: { content_id: video, view_type: 'watch', watch_duration_ms: '1s' } }
  return { ...more, events: Array.from({ length: events }, () => one) }
}

export async function watchesOf(api: Api, video: string): Promise<number> {
  const { status, body } = await api.get(`/analytics/v1/videos/${video}/stats`)
  if (status !== 200) throw new Error(`stats answered ${status}: ${JSON.stringify(body)}`)
  return body.watches
}

/** The process in which DuckDB runs, where it does. */
export function duckDbOf({ pid }: Pick<TestService, 'pid'>): number | undefined {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .find((candidate) => {
      const [parent, command] = [parentOf(candidate), readOr(`/proc/${candidate}/cmdline`)]
      return parent === pid && command.includes('duckdb/child/main.ts')
    })
}

function parentOf(pid: number): number {
  return Number(/\) \S (\d+)/.exec(readOr(`/proc/${pid}/stat`))?.[1])
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
