import { connect, type Sql, type Transaction } from '../server/platform/postgres/client.ts'
import { embeddedSocket } from '../server/platform/postgres/embedded.ts'
import { line, median, print } from './support/report.ts'
import { startService } from './support/service.ts'

const MANY = 1_000_000
const FEW = 1000
/** Of each kind that is asked for, in both projects. */
const MATCHES = 100
const ROUNDS = 30
const AT_MOST = 3

const QUERIES = [
  'q=needle',
  'q=%C3%9F%C3%9F',
  'q=%C3%9F',
  'visibility=private',
  'status=error',
  'metadata.series=needle',
  'visibility=private&metadata.series=needle&q=needle',
  'attached_to_video=true&visibility=private',
  'attached_to_video=true&q=needle',
  'attached_to_video=false&visibility=private',
]

/** What most of a project is, or everything. */
const BROAD = [
  '/images?limit=25',
  '/images?attached_to_video=false&limit=25',
  '/images?visibility=public&limit=25',
  '/images?status=complete&limit=25',
  '/images?sort=name&limit=25',
  '/images?sort=updated_at&visibility=public&limit=25',
  '/images?sort=size&q=photo&limit=25',
  '/videos?sort=duration&order=asc&limit=25',
  '/images?q=photo&limit=25',
  '/images?q=p&limit=25',
  '/images?metadata.series=hay&limit=25',
  '/images?visibility=public&metadata.series=hay&q=photo&limit=25',
  '/media?q=photo&limit=25',
  '/media?q=photo&sort=name&limit=25',
  '/media?min_size=1&limit=25',
]

/** What is in some, which an index counts up to five thousand of. */
const COUNTED = ['/images?q=ab&limit=25', '/images?q=jewel&limit=25', '/images?q=w&sort=name&limit=25']
const COUNTED_AT_MOST = 10

/** What only the older have, of which the newest are asked for: the oldest of fifty, and four of five. */
const FAR_OFF = ['oldest', 'yore']
/** Of the first it is a small part; of the other, which is gone through as well, about as much and a count. */
const FAR_AT_MOST = 3

/** A filtered page among a million images beside the same among a thousand; and of the few videos beside them. */
export async function run(): Promise<void> {
  const service = await startService({
    MARQUEE_ROLES: 'api',
    MARQUEE_LOG_LEVEL: 'warn',
    MARQUEE_LIMIT_KEY_PER_MINUTE: '0',
  })
  const { org_id, project_id, access_token } = service.quickstart
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  const made = await fetch(`${service.url}/organizations/${org_id}/projects/v1`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'A few' }),
  })
  const few = ((await made.json()) as { id: string }).id
  const sql = connect({ socket: embeddedSocket(service.dataDir) }, { max: 1 })
  print(`lists: ${MANY} images beside ${FEW}, ${MATCHES} of each that are asked for, median of ${ROUNDS}`)
  await addMedia(sql, few, FEW)
  await addMedia(sql, project_id, MANY)
  await sql.unsafe('vacuum analyze files, images, videos, media_items, attached_items, media_counts')

  async function timeOf(projectId: string, path: string): Promise<number> {
    const start = performance.now()
    const answer = await fetch(`${service.url}${path}`, {
      headers: { ...headers, 'x-project-id': projectId },
    })
    const { data } = (await answer.json()) as { data: unknown[] }
    if (!answer.ok || data.length === 0) throw new Error(`${path}: ${answer.status}, ${data?.length} found`)
    return performance.now() - start
  }

  const compare = async (path: string) => {
    const seen: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      seen[0].push(await timeOf(project_id, path))
      seen[1].push(await timeOf(few, path))
    }
    const [many, little] = [median(seen[0]), median(seen[1])]
    const ms = (time: number) => `${time.toFixed(1)} ms`
    print(`  GET ${path}: ${ms(many)} among ${MANY}, ${ms(little)} among ${FEW}`)
    return many / little
  }
  for (const query of QUERIES) line('ratio', await compare(`/images?${query}&limit=25`), { atMost: AT_MOST })
  line('ratio', await compare('/videos?visibility=public&status=ready&limit=25'), { atMost: AT_MOST })
  line('ratio', await compare('/media?visibility=private&limit=25'), { atMost: AT_MOST })
  for (const path of BROAD) line('ratio', await compare(path), { atMost: AT_MOST })
  for (const path of COUNTED) line('ratio', await compare(path), { atMost: COUNTED_AT_MOST })

  const baseline = `the same by position() and order by created_at desc in SQL`
  for (const text of FAR_OFF) {
    const seen: [number[], number[]] = [[], []]
    for (let round = 0; round < 5; round++) {
      seen[0].push(await timeOf(project_id, `/images?q=${text}&limit=25`))
      const start = performance.now()
      await sql`
        select id from media_items where project_id = ${project_id} and kind = 'image' and position(${text} in search) > 0
        order by created_at desc, id desc limit 25`
      seen[1].push(performance.now() - start)
    }
    const [ours, plain] = [median(seen[0]), median(seen[1])]
    print(`  GET /images?q=${text}&limit=25: ${ours.toFixed(1)} ms; ${baseline}: ${plain.toFixed(1)} ms`)
    line('ratio', ours / plain, { atMost: FAR_AT_MOST })
  }
  await sql.end()
  await service.stop()
}

/**
 * Images of a project by statements of our own, every tenth of them attached to a video, and a few videos, older than all images.
 * Triggers are off, which would write the rows of lists one by one.
 */
async function addMedia(sql: Sql, projectId: string, count: number): Promise<void> {
  const every = count / MATCHES
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`set local maintenance_work_mem = '1GB'`
    const indexes = await dropSearches(tx)
    await tx`
      create temporary table made on commit drop as
      select n, case when n > ${count} then 'video' else 'image' end as kind,
        lpad(n::text, 10, '0') || right(${projectId}, 16) as name,
        n % ${every} = 0 as is_wanted,
        case when n % ${every} = 0 then n / ${every} % 2 = 1 else n % 10 = 0 end as is_attached,
        now() - n * interval '1 second' as made_at
      from generate_series(1, ${count + MATCHES}::int) n`
    await tx`
      insert into files (id, project_id, kind, name, format, status, object_key, size, etag, upload_expires, created_at, updated_at,
        visibility, metadata)
      select 'file_' || name, ${projectId}, kind,
        convert_to(concat_ws(' ', 'Photo', md5(name), case when is_wanted then 'needle ßß' end,
          case when n % 50 = 0 then 'jewel' end, case when n > ${count * 0.98} then 'oldest' end,
          case when n > ${count * 0.2} then 'yore' end), 'UTF8'), 'avif',
        case when is_wanted and kind = 'image' then 'error' else 'ready' end, name, 1000 + n, name, now(), made_at,
        made_at,
        case when is_wanted and kind = 'image' then 'private' end,
        jsonb_build_object('series', case when is_wanted then 'needle' else 'hay' end, 'number', n::text)
      from made`
    await tx`
      insert into images (id, project_id, file_id, width, height, thumbhash, attached_to_video, created_at)
      select 'img_' || name, ${projectId}, 'file_' || name, 100, 100, '', is_attached, made_at
      from made where kind = 'image'`
    await tx`
      insert into files (id, project_id, kind, name, format, status, upload_expires)
      select 'file_p' || name, ${projectId}, 'image', '', 'avif', 'ready', now() from made where kind = 'video'`
    await tx`
      insert into images (id, project_id, file_id, width, height, thumbhash, attached_to_video, poster_of)
      select 'img_p' || name, ${projectId}, 'file_p' || name, 100, 100, '', true, 'vid_' || name
      from made where kind = 'video'`
    await tx`
      insert into videos (id, project_id, file_id, poster_id, quality, plan_type, duration, width, height, bitrate, codec,
        framerate, hdr, created_at)
      select 'vid_' || name, ${projectId}, 'file_' || name, 'img_p' || name, 'basic', 'free', 10, 100, 100, 1000, 'h264',
        '25', false, made_at
      from made where kind = 'video'`
    const from = tx`from made m join files f on f.id = 'file_' || m.name`
    const listed = tx`coalesce(f.visibility, 'public'), f.metadata, name_start(f.name), f.updated_at`
    await tx`
      insert into media_items (id, project_id, file_id, kind, status, size, sort_name, search, created_at, is_made,
        visibility, metadata, name_start, updated_at, is_attached)
      select i.id, ${projectId}, f.id, m.kind, f.status, f.size, sorted_name(f.name), searched_text(i.id, f.name, ''), made_at,
        true, ${listed}, m.kind = 'image' and is_attached
      ${from} cross join lateral (select case m.kind when 'image' then 'img_' else 'vid_' end || m.name as id) i`
    await tx`
      insert into attached_items (id, project_id, file_id, kind, status, size, visibility, metadata, name_start, updated_at,
        search, created_at)
      select i.id, ${projectId}, f.id, 'image', f.status, f.size, ${listed}, searched_text(i.id, f.name, ''), made_at
      ${from} join images i on i.file_id = f.id where i.attached_to_video`
    for (const list of ['media_items', 'attached_items'])
      await tx`
        insert into media_counts (project_id, list, kind, visibility, status, is_made, items)
        select project_id, ${list}, kind, visibility, status, is_made, count(*) from ${tx.unsafe(list)}
        where project_id = ${projectId} group by 1, 3, 4, 5, 6`
    for (const { name, definition } of indexes) {
      await tx.unsafe(definition)
      // As migrations leave them.
      if (!name.endsWith('_by_metadata'))
        await tx.unsafe(`alter index ${name} alter column 1 set statistics 0`)
    }
  })
}

/** Indexes of words and metadata, which are made many times faster in one go than row by row. */
async function dropSearches(tx: Transaction): Promise<{ name: string; definition: string }[]> {
  const indexes = await tx<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = current_schema() and indexdef like '% USING gin %'
      and tablename in ('files', 'images', 'media_items', 'attached_items')`
  for (const { name } of indexes) await tx.unsafe(`drop index ${name}`)
  return indexes
}
