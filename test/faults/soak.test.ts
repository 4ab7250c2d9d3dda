import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { descendants } from '../../server/media/process-tree.ts'
import { connect, type Sql } from '../../server/platform/postgres/client.ts'
import { embeddedSocket } from '../../server/platform/postgres/embedded.ts'
import { filesBelow, local, objectsOnDisk, uploaderOf } from '../support/media.ts'
import { authorOf, scroll, smallJpeg } from '../support/posts.ts'
import { discard, emptyDataDir, serviceForTest, type TestService } from '../support/service.ts'
import { clip, formsOf, videoUploaderOf } from '../support/video.ts'
import { watching } from '../support/watching.ts'

/** An hour; where that is too long, half a minute. After each stretch everything rests, and is counted. */
const STRETCHES = 6
const isLong = Boolean(process.env.MARQUEE_TEST_LONG)
const STRETCH_MS = isLong ? 600_000 : 6_000
/** What was not needed before may be loaded, connected or made in the first of them. */
const WARM_UP = 2
/** What tells what has happened, for as long as settings say; and where late bytes may still come, for a day. */
const GROWING = [
  'audit_entries',
  'failed_requests',
  'orphaned_objects',
  'usage_samples',
  'webhook_messages',
  'webhook_outbox',
]

test('under all kinds of load at once, nothing grows', {
  timeout: STRETCHES * (STRETCH_MS + 180_000),
}, async () => {
  const snapshots = emptyDataDir()
  onTestFinished(() => discard(snapshots))
  const service = await serviceForTest({
    env: {
      NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${snapshots}`,
      MARQUEE_LOG_LEVEL: 'warn',
      MARQUEE_SWEEP_INTERVAL: '1',
      MARQUEE_LIMIT_KEY_PER_MINUTE: '0',
      MARQUEE_LIMIT_FREE_PER_MINUTE: '0',
      MARQUEE_LIMIT_EVENTS_PER_MINUTE: '0',
      MARQUEE_LIMIT_DELIVERY_PER_MINUTE: '0',
    },
  })
  const sql = connect({ socket: embeddedSocket(service.dataDir) }, { max: 1 })
  onTestFinished(() => sql.end())
  const lanes = await lanesOf(service)
  const passes = new Map(Object.keys(lanes).map((name) => [name, 0]))
  const seen: Measured[] = []
  for (let stretch = 0; stretch < STRETCHES; stretch++) {
    const end = performance.now() + STRETCH_MS
    await Promise.all(
      Object.entries(lanes).map(async ([name, pass]) => {
        while (performance.now() < end) {
          await pass().catch((error) => {
            throw new Error(`${name}: ${error.message}; ${failuresOf(service)}`)
          })
          passes.set(name, passes.get(name)! + 1)
        }
      }),
    )
    await untilAtRest(service, sql)
    seen.push({ heap: await liveMegabytes(service, snapshots), ...(await measure(service, sql)) })
  }
  for (const [name, count] of passes) expect(count, name).toBeGreaterThanOrEqual(STRETCHES)
  const before = seen[WARM_UP - 1]!
  const after = seen.at(-1)!
  const about = JSON.stringify(seen.map(({ rows: _, ...rest }) => rest))
  expect(after.heap - before.heap, about).toBeLessThan(8)
  // An image process more or less, of those that come and go, and what allocators keep for themselves.
  expect(before.memory, about).toBeGreaterThan(before.heap)
  expect(after.memory - before.memory, about).toBeLessThan(128)
  expect(after.files - before.files, about).toBeLessThanOrEqual(8)
  expect(after.processes, about).toBeLessThanOrEqual(before.processes + 2)
  expect(after.temporary, about).toBe(0)
  expect(after.spooled, about).toBeLessThanOrEqual(before.spooled + 1)
  expect(after.tableMegabytes - before.tableMegabytes, about).toBeLessThan(16)
  const grown = Object.entries(after.rows).filter(([table, count]) => count > before.rows[table]!)
  expect(grown).toEqual([])
  if (isLong) expect(failuresOf(service)).toBe('')
})

/** What the service has logged of itself. */
const failuresOf = ({ output }: TestService) => (output().match(/^.*"level":[56]0.*$/gm) ?? []).join('\n')

interface Measured {
  heap: number
  /** Of the service and all below it but PostgreSQL, which keeps what it has read. */
  memory: number
  /** Open ones, connections among them. */
  files: number
  processes: number
  temporary: number
  spooled: number
  tableMegabytes: number
  rows: Record<string, number>
}

async function measure(service: TestService, sql: Sql): Promise<Omit<Measured, 'heap'>> {
  const { dataDir, pid } = service
  await sql.unsafe('vacuum')
  const tables = await sql<{ name: string; bytes: number }[]>`
    select relname as name, pg_total_relation_size(oid)::bigint as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all(${GROWING})`
  const rows: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await sql<{ count: number }[]>`select count(*)::int as count from ${sql.unsafe(name)}`
    rows[name] = row!.count
  }
  return {
    memory: [pid, ...descendants(pid)].reduce((sum, each) => sum + residentMegabytes(each), 0),
    files: (await metricsOf(service))('marquee_process_open_fds'),
    processes: descendants(pid).length,
    temporary: [...filesBelow(path.join(dataDir, 'work')), ...filesBelow(path.join(dataDir, 'temporary'))]
      .length,
    spooled: filesBelow(path.join(dataDir, 'events', 'spool')).length,
    tableMegabytes: tables.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20,
    rows,
  }
}

/** With its part of what it shares; 0 of one that has ended, and of PostgreSQL. */
function residentMegabytes(pid: number): number {
  try {
    if (readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')) return 0
    const [, kilobytes] = /^Pss: +(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))!
    return Number(kilobytes) / 1024
  } catch {
    return 0
  }
}

/** What is left of the heap once all garbage is collected, which is done for a snapshot of it. */
async function liveMegabytes(service: TestService, folder: string): Promise<number> {
  process.kill(service.pid, 'SIGUSR2')
  // It answers nothing until the snapshot is written.
  await expect.poll(() => readdirSync(folder), { timeout: 60_000 }).toHaveLength(1)
  const heap = (await metricsOf(service))('marquee_nodejs_heap_size_used_bytes')
  for (const file of readdirSync(folder)) rmSync(path.join(folder, file))
  return heap / 2 ** 20
}

async function metricsOf({ url }: TestService): Promise<(name: string) => number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)![1])
}

/** All that was deleted is gone, no job waits, and counts are gathered. */
async function untilAtRest({ dataDir }: TestService, sql: Sql): Promise<void> {
  const left = async () => {
    const [rows] = await sql`
      select (select count(*)::int from jobs) as jobs, (select count(*)::int from garbage) as garbage,
        (select count(*)::int from files) as files, (select count(*)::int from media_counts) as counts`
    return { ...rows, objects: objectsOnDisk(dataDir).length }
  }
  const nothing = { jobs: 0, garbage: 0, files: 0, counts: 0, objects: 0 }
  await expect.poll(left, { timeout: 150_000, interval: 100 }).toEqual(nothing)
}

/** What clients do, each from its beginning to where nothing is left of it. */
async function lanesOf(service: TestService): Promise<Record<string, () => Promise<unknown>>> {
  const { api, url, quickstart } = service
  const [film, picture] = await Promise.all([clip(2), smallJpeg()])
  const { upload } = videoUploaderOf(api)
  const images = uploaderOf(api)
  const forms = formsOf({ url, seed: quickstart })
  const { id: feedId } = (await api.post('/feeds', { name: 'Soak' })).body
  const author = authorOf(api, quickstart.project_id, feedId)
  const fetched = async (address: string) => {
    const response = await fetch(address)
    if (!response.ok) throw new Error(`${address}: ${response.status}`)
    return response
  }
  const textOf = async (address: string) => (await fetched(address)).text()
  const linesOf = (playlist: string) => playlist.split('\n').filter((line) => line && !line.startsWith('#'))

  return {
    async films() {
      const video = await upload(film)
      const address = local(video.file.url)
      for (const rung of linesOf(await textOf(address))) {
        const playlist = new URL(rung, address)
        for (const segment of linesOf(await textOf(playlist.href)))
          await (await fetched(new URL(segment, playlist).href)).arrayBuffer()
      }
      const cue = '00:00.000 --> 00:01.000\nHello'
      await forms.put(`/videos/${video.id}/subtitles/en`, ['file', { content: `WEBVTT\n\n${cue}\n` }])
      await api.patch(`/videos/${video.id}`, { name: 'A film of the soak', metadata: { lane: 'films' } })
      expect((await api.get('/videos?q=soak&metadata.lane=films')).body.data).toHaveLength(1)
      expect((await api.delete(`/videos/${video.id}`)).status).toBe(204)
    },
    async pictures() {
      const { body } = await images.upload(picture)
      for (const size of ['', '?w=32', '?w=16&format=webp'])
        await (await fetched(local(body.file.url) + size)).arrayBuffer()
      expect((await api.delete(`/images/${body.id}`)).status).toBe(204)
    },
    async posts() {
      const post = await author.post(picture)
      expect(await scroll(api, feedId)).toContain(post.id)
      expect((await api.delete(`/images/${post.image_id}`)).status).toBe(204)
    },
    async abandoned() {
      const { body } = await images.init()
      await images.put(body.presigned_url, new Uint8Array(picture))
      expect((await api.delete(`/images/${body.image_id}`)).status).toBe(204)
    },
    async events() {
      const events = Array.from({ length: 100 }, (_, i) => watching({ device_id: `device-${i}` }))
      expect((await api.post('/analytics/v1/events', { events })).status).toBe(200)
      expect((await api.get('/analytics/v1/dashboard')).status).toBe(200)
    },
    async refused() {
      expect((await fetch(`${url}/videos`, { headers: { 'x-api-key': 'nobody' } })).status).toBe(401)
      expect((await api.get('/videos?limit=0')).status).toBe(400)
    },
  }
}
