import { connect, type Sql } from '../../server/platform/postgres/client.ts'
import { embeddedSocket } from '../../server/platform/postgres/embedded.ts'

const AT_ONCE = 50_000
const CREATORS = 1000

/** The database of a service that runs on this data folder. */
export const databaseOf = (dataDir: string): Sql => connect({ socket: embeddedSocket(dataDir) }, { max: 2 })

/** Feeds by statements of our own: a million uploads would take days. */
export async function addFeeds(sql: Sql, projectId: string, count: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    insert into feeds
      (id, project_id, name, description, allow_images, allow_videos, has_likes, has_shares, has_comments)
    select ${idOf('feed')}, ${projectId}, 'Feed ' || i, '', true, true, true, true, true
    from generate_series(1, ${count}) i returning id`
  return rows.map(({ id }) => id)

  function idOf(prefix: string) {
    return sql`${`${prefix}_`} || lpad(i::text, 26, '0')`
  }
}

/** Posts of images that are there as rows only: readers of a feed never see more of them. */
export async function addPosts(
  sql: Sql,
  projectId: string,
  feedId: string,
  count: number,
  pad = '0',
): Promise<void> {
  const padded = sql`lpad(i::text, 26, ${pad})`
  for (let from = 1; from <= count; from += AT_ONCE) {
    const series = sql`generate_series(${from}::int, ${Math.min(count, from + AT_ONCE - 1)}::int) i`
    await sql`
      insert into files (id, project_id, kind, name, format, status, object_key, size, upload_expires)
      select 'file_' || ${padded}, ${projectId}, 'image', 'photo.jpg', 'avif', 'ready', 'x', 12345, now() from ${series}`
    await sql`
      insert into images (id, project_id, file_id, width, height, thumbhash)
      select 'img_' || ${padded}, ${projectId}, 'file_' || ${padded}, 1200, 800, '1QcSHQRnh493V4dIh4eXh1h4kJUI' from ${series}`
    await sql`
      insert into posts (id, feed_id, creator_id, description, image_id, plan_type, published, created_at, updated_at)
      select 'post_' || ${padded}, ${feedId}, 'creator ' || i % ${CREATORS}, 'The post of number ' || i,
        'img_' || ${padded}, 'custom', true, now(), now() from ${series}`
  }
  await sql.unsafe('analyze files, images, posts, feed_blocks, feed_creators, feeds')
}
