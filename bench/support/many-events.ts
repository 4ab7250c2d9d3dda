import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { migrate } from '../../server/platform/events/duckdb/child/schema.ts'

const AT_ONCE = 1_000_000
const VIDEOS = 1000
const EVENTS_PER_VIEWER = 10

export const eventsFile = (dataDir: string) => path.join(dataDir, 'events/events.duckdb')

/** A database of events of the last 28 days, as the service would have it; sending so many would take long. */
export async function fillEvents(
  file: string,
  { orgId, projectId }: { orgId: string; projectId: string },
  count: number,
): Promise<void> {
  const { instance, connection } = await newDatabase(file, orgId, projectId)
  const viewers = Math.ceil(count / EVENTS_PER_VIEWER)
  await connection.run(`insert into viewers select i, 'user ' || i from range(${viewers}) r(i)`)
  await connection.run(`insert into contents select i, ${videoId('i')} from range(${VIDEOS}) r(i)`)
  const step = Math.floor((28 * 24 * 3600 * 1_000_000) / count)
  const start = (Date.now() - 29 * 24 * 3600 * 1000) * 1000
  for (let from = 0; from < count; from += AT_ONCE)
    await connection.run(`
      insert into events by name
      select 0 as project, viewer, kind::kind as kind, ${start} // 1000 as received, i as arrival,
        ${start} + i * ${step} as time, 'user ' || viewer as user_id, country, browser,
        case when is_view then video end as video, case when is_view then ${videoId('video')} end as content_id,
        case when is_view then 'MEDIA_TYPE_VIDEO' end as content_type,
        case when is_view then view_type end as view_type, case when is_view then view end as view, case when is_view then watched end as watched,
        case when kind in ('content_view', 'interaction', 'engagement') then page end as page
      from (
        select *, kind = 'content_view' as is_view from (
          select i, (hash(i) % ${viewers})::integer as viewer, (hash(i * 11) % ${VIDEOS})::integer as video,
            (hash(i * 13) % 60000000)::bigint as watched,
            ['session_start', 'interaction', 'engagement', 'error'][1 + (hash(i * 3) % 10)::integer] as other,
            coalesce(other, 'content_view') as kind,
            1 + (hash(i * 5) % 3)::integer as view, ['start', 'watch', 'end'][view] as view_type,
            ['NO', 'DE', 'FR', 'US', 'BR'][1 + (hash(i * 7) % 5)::integer] as country,
            ['Firefox', 'Chrome', 'Safari'][1 + (hash(i * 17) % 3)::integer] as browser,
            ['feed', 'profile', 'standalone'][1 + (hash(i * 19) % 3)::integer] as page
          from range(${from}, ${Math.min(count, from + AT_ONCE)}) r(i)
        )
      )`)
  await connection.run('checkpoint')
  instance.closeSync()
}

async function newDatabase(file: string, orgId: string, projectId: string) {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  await migrate(connection)
  await connection.run('insert into projects values (0, ?, ?)', [orgId, projectId])
  return { instance, connection }
}

/**
 * Views of one film of an hour and a half, as people watch: from somewhere on, with one to ten jumps, each stretch
 * up to seven minutes; half as many people as views.
 */
export async function fillViews(
  file: string,
  { orgId, projectId }: { orgId: string; projectId: string },
  count: number,
): Promise<string> {
  const { instance, connection } = await newDatabase(file, orgId, projectId)
  await connection.run(`insert into contents values (0, ${videoId('0')})`)
  await connection.run(`insert into viewers select i, 'user ' || i from range(${Math.ceil(count / 2)}) r(i)`)
  const start = (Date.now() - 2 * 24 * 3600 * 1000) * 1000
  const stretches = (end: string) =>
    `list_transform(range(1 + (hash(i * 3) % 10)::integer), j -> (hash(i * 31 + j) % 5000000000 + ${end})::bigint)`
  await connection.run(`
    insert into events by name
    select 0 as project, (hash(i) % ${Math.ceil(count / 2)})::integer as viewer, 'content_view'::kind as kind,
      i as arrival, ${start} + i * 100000 as time, 0 as video, ${videoId('0')} as content_id, 'watch' as view_type,
      2 as view, 5400000000 as duration, ${stretches('0')} as segment_starts,
      ${stretches('1000000 + hash(i * 17 + j) % 400000000')} as segment_ends
    from range(${count}) r(i)`)
  await connection.run('checkpoint')
  instance.closeSync()
  return `vid_${'0'.repeat(26)}`
}

const videoId = (number: string) => `'vid_' || lpad(${number}::varchar, 26, '0')`

/** A request as a player sends it. */
export function requestOf(events: number): string {
  const timestamp = new Date().toISOString()
  return JSON.stringify({
    user_id: 'user 1',
    country: 'NO',
    device: 'phone',
    os: 'Android',
    browser: 'Chrome',
    events: Array.from({ length: events }, (_, i) => ({
      timestamp,
      content_view: {
        content_id: `vid_${String(i).padStart(26, '0')}`,
        content_type: 'MEDIA_TYPE_VIDEO',
        view_type: 'watch',
        page: 'feed',
        watch_duration_ms: '12.500s',
        video_position_ms: `${i}s`,
        video_total_duration_ms: '300s',
      },
    })),
  })
}

/** One viewer's request of many: of some video, watched to somewhere, at some time of the last day. */
export function requestOfSomebody(events: number): string {
  const somewhere = (end: number) => Math.floor(Math.random() * end)
  const video_total_duration_ms = `${60 + somewhere(540)}s`
  const content_id = `vid_${String(somewhere(100_000)).padStart(26, '0')}`
  return JSON.stringify({
    user_id: `viewer ${somewhere(10_000_000)}`,
    country: ['NO', 'DE', 'BR', 'IN', 'US', 'JP'][somewhere(6)],
    device: ['phone', 'desktop', 'tablet', 'tv'][somewhere(4)],
    browser: ['Chrome', 'Safari', 'Firefox'][somewhere(3)],
    events: Array.from({ length: events }, () => {
      const from = somewhere(500)
      const watched = somewhere(10_000) / 1000
      return {
        timestamp: new Date(Date.now() - somewhere(86_400_000)).toISOString(),
        content_view: {
          content_id,
          content_type: 'MEDIA_TYPE_VIDEO',
          view_type: 'watch',
          watch_duration_ms: `${watched}s`,
          video_total_duration_ms,
          segments: [{ start_ms: `${from}s`, end_ms: `${(from + watched).toFixed(3)}s` }],
        },
      }
    }),
  })
}
