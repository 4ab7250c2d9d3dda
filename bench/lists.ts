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
  'visibility=private',
  'status=error',
  'metadata.series=needle',
  'visibility=private&metadata.series=needle&q=needle',
  'attached_to_video=true&visibility=private',
  'attached_to_video=true&q=needle',
  'attached_to_video=false&visibility=private',
]

/** A filtered page among a million images beside the same among a thousand; and of the few videos beside them. */
export async function run(): Promise<void> {
  const service = await startService({ MARQUEE_ROLES: 'api', MARQUEE_LOG_LEVEL: 'warn' })
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
  await sql.unsafe('vacuum analyze files, images, videos, media_items, attached_items')

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
  // What most of a project is: its page is found at once, how many there are is counted.
  for (const path of ['/images?limit=25', '/images?visibility=public&limit=25', '/images?q=photo&limit=25'])
    print(`    counts all: ${(await compare(path)).toFixed(1)} times as long`)
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
      insert into files (id, project_id, kind, name, format, status, object_key, size, etag, upload_expires, created_at,
        visibility, metadata)
      select 'file_' || name, ${projectId}, kind,
        convert_to('Photo ' || md5(name) || case when is_wanted then ' needle' else '' end, 'UTF8'), 'avif',
        case when is_wanted and kind = 'image' then 'error' else 'ready' end, name, 1000, name, now(), made_at,
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
    const listed = tx`coalesce(f.visibility, 'public'), f.metadata`
    await tx`
      insert into media_items (id, project_id, file_id, kind, status, size, sort_name, search, created_at, is_made,
        visibility, metadata)
      select i.id, ${projectId}, f.id, m.kind, f.status, f.size, sorted_name(f.name), searched_text(i.id, f.name, ''), made_at,
        true, ${listed}
      ${from} cross join lateral (select case m.kind when 'image' then 'img_' else 'vid_' end || m.name as id) i`
    await tx`
      insert into attached_items (id, project_id, file_id, status, visibility, metadata, search, created_at)
      select i.id, ${projectId}, f.id, f.status, ${listed}, searched_text(i.id, f.name, ''), made_at
      ${from} join images i on i.file_id = f.id where i.attached_to_video`
    for (const { definition } of indexes) await tx.unsafe(definition)
  })
}

/** Indexes of words and metadata, which are made many times faster in one go than row by row. */
async function dropSearches(tx: Transaction): Promise<{ definition: string }[]> {
  const indexes = await tx<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = current_schema() and indexdef like '% USING gin %'
      and tablename in ('files', 'images', 'media_items', 'attached_items')`
  for (const { name } of indexes) await tx.unsafe(`drop index ${name}`)
  return indexes
}
