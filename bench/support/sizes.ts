import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../server/platform/postgres/client.ts'
import { requestOfSomebody } from './many-events.ts'
import { addPosts } from './many-posts.ts'
import type { Service } from './upload.ts'

const VIDEOS = 5000
const SEGMENTS = 200_000
const EVENTS = 100_000
const EVENTS_A_REQUEST = 20

/** Bytes on disk of a row and what belongs to it, with indexes, of so many copies of a video that was uploaded. */
export async function bytesOfRecords(sql: Sql, videoId: string) {
  const [{ file_id: fileId } = { file_id: '' }] = await sql<{ file_id: string }[]>`
    select file_id from videos where id = ${videoId}`
  const number = sql`lpad(i::text, 26, 's')`
  const series = sql`generate_series(1, ${VIDEOS}::int) i`
  const video = await growth(
    sql,
    ['files', 'videos', 'images', 'playback_plans', 'media_items'],
    VIDEOS,
    () =>
      sql.begin(async (tx) => {
        await tx`insert into files (id, project_id, kind, name, format, status, object_key, size, upload_expires)
        select 'file_' || ${number}, project_id, kind, name, format, status, object_key, size, now()
        from files, ${series} where id = ${fileId}`
        await tx`insert into files (id, project_id, kind, name, format, status, object_key, size, upload_expires)
        select 'file_p' || ${number}, project_id, 'image', name, 'avif', status, object_key, size, now()
        from files, ${series} where id = ${fileId}`
        await tx`insert into images (id, project_id, file_id, width, height, thumbhash)
        select 'img_' || ${number}, project_id, 'file_p' || ${number}, width, height, thumbhash
        from images, ${series} where id = (select poster_id from videos where id = ${videoId})`
        await tx`insert into videos (id, project_id, file_id, poster_id, quality, plan_type, duration, width, height, bitrate, codec, framerate)
        select 'vid_' || ${number}, project_id, 'file_' || ${number}, 'img_' || ${number}, quality, plan_type, duration, width, height,
          bitrate, codec, framerate from videos, ${series} where id = ${videoId}`
        await tx`insert into playback_plans select 'file_' || ${number}, plan, rates from playback_plans, ${series} where file_id = ${fileId}`
      }),
  )
  const segment = await growth(
    sql,
    ['segments'],
    SEGMENTS,
    () =>
      sql`insert into segments select ${fileId}, 'v360', i, 500000 from generate_series(100000, ${99_999 + SEGMENTS}::int) i`,
  )
  return { video, segment }
}

/** The same of a post, without what it shows, in the feed that a bench has filled. */
export async function bytesOfPosts(sql: Sql, projectId: string, count: number): Promise<number> {
  const [feed] = await sql<{ id: string }[]>`select id from feeds where project_id = ${projectId}`
  const tables = ['posts', 'feed_blocks', 'feed_creators']
  return growth(sql, tables, count, () => addPosts(sql, projectId, feed!.id, count, 'b'))
}

export interface EventsPlace {
  urls: string[]
  user: string
  password: string
  database: string
}

/** The same of an event in ClickHouse, once it has put its parts together. What was there is taken out. */
export async function bytesOfEvents(
  { url, quickstart }: Pick<Service, 'url' | 'quickstart'>,
  { urls, user, password, database }: EventsPlace,
): Promise<number> {
  const asks = { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password }
  /** Of each server, added up where it is a number. */
  const ask = async (statement: string) => {
    const answers = await Promise.all(
      urls.map((server) => fetch(server, { method: 'POST', headers: asks, body: statement })),
    )
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    return texts.reduce((sum, text) => sum + Number(text), 0)
  }
  const events = `"${database}".events`
  await ask(`truncate table ${events}`)
  const headers = { 'x-api-key': quickstart.api_key, 'content-type': 'application/json' }
  for (let sent = 0; sent < EVENTS; sent += EVENTS_A_REQUEST) {
    const body = requestOfSomebody(EVENTS_A_REQUEST)
    const answer = await fetch(`${url}/analytics/v1/events`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`events are answered ${answer.status}: ${await answer.text()}`)
  }
  while ((await ask(`select count() from ${events}`)) < EVENTS) await sleep(200)
  await ask(`optimize table ${events} final`)
  const onDisk = await ask(
    `select sum(bytes_on_disk) from system.parts where active and table = 'events' and database = '${database}'`,
  )
  return Math.round(onDisk / EVENTS)
}

async function growth(
  sql: Sql,
  tables: string[],
  rows: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const size = async () => {
    const [row] = await sql<{ bytes: number }[]>`
      select sum(pg_total_relation_size(name::regclass))::bigint as bytes from unnest(${tables}::text[]) name`
    return Number(row!.bytes)
  }
  const before = await size()
  await work()
  return Math.round(((await size()) - before) / rows)
}
