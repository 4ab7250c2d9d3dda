import type { Sql } from '../../server/platform/postgres/client.ts'

const AT_ONCE = 20_000

/**
 * Images of a project by statements of our own: as many as are asked for, each with the bytes of one of the images that were
 * uploaded, so that there is something to see of it, and a
 * thumbhash of its own.
 */
export async function addImages(sql: Sql, projectId: string, count: number): Promise<void> {
  const padded = sql`lpad(i::text, 26, '0')`
  for (let from = 1; from <= count; from += AT_ONCE) {
    const series = sql`generate_series(${from}::int, ${Math.min(count, from + AT_ONCE - 1)}::int) i`
    const originals = sql`(
      select f.*, m.width, m.height, m.thumbhash, row_number() over (order by f.id) - 1 as place, count(*) over () as all_of_them
      from files f join images m on m.file_id = f.id where f.project_id = ${projectId} and f.id !~ '^file_0000') o`
    await sql`
      insert into files (id, project_id, kind, name, format, status, object_key, size, etag, upload_expires, created_at)
      select 'file_' || ${padded}, ${projectId}, 'image', convert_to('Photo number ' || i || '.jpg', 'UTF8'), o.format, 'ready',
        o.object_key, o.size + i, o.etag, now(), now() - i * interval '1 minute'
      from ${series} join ${originals} on o.place = i % o.all_of_them`
    await sql`
      insert into images (id, project_id, file_id, width, height, thumbhash, created_at)
      select 'img_' || ${padded}, ${projectId}, 'file_' || ${padded}, o.width, o.height,
        overlay(o.thumbhash placing translate(lpad((i % 10000)::text, 4, '0'), '0123456789', 'ABCDEFGHIJ') from 9 for 4),
        now() - i * interval '1 minute'
      from ${series} join ${originals} on o.place = i % o.all_of_them`
  }
  await sql.unsafe('analyze files, images, media_items')
}
