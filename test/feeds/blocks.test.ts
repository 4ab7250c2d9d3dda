import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '../../server/base/ids.ts'
import { findPage } from '../../server/feeds/reading/store.ts'
import type { Sql } from '../../server/platform/postgres/client.ts'
import { composeForTest } from '../support/in-process.ts'

const RUNS = process.env.MARQUEE_TEST_LONG ? 100 : 4

/** Images that are rows only: what is counted here are posts. */
async function addImages(sql: Sql, projectId: string, count: number): Promise<void> {
  await sql`
    insert into files (id, project_id, kind, name, status, upload_expires)
    select 'file_' || i, ${projectId}, 'image', '', 'ready', now() from generate_series(1, ${count}) i`
  await sql`
    insert into images (id, project_id, file_id, width, height, thumbhash)
    select 'img_' || i, ${projectId}, 'file_' || i, 1, 1, '' from generate_series(1, ${count}) i`
}

/** Ids of all times: most posts are new, some were drafts for long. */
const addition = fc.record({
  add: fc.integer({ min: 1, max: 2500 }),
  published: fc.boolean(),
  spread: fc.constantFrom(1, 1000, 1_000_000),
})
const removal = fc.record({ every: fc.integer({ min: 1, max: 7 }), rest: fc.integer({ min: 0, max: 6 }) })
const shuffle = fc.record({ move: fc.integer({ min: 2, max: 9 }) })
const steps = fc.array(fc.oneof(addition, addition, removal, shuffle), { minLength: 1, maxLength: 8 })

test('counts and places are those that counting would find, whatever comes and goes', {
  timeout: 900_000,
}, async () => {
  const { sql, seed } = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const projectId = seed.project_id
  await addImages(sql, projectId, 20_000)
  const START = Date.now()

  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const feedId = newId('feed')
      const choices = {
        allow_images: true,
        allow_videos: true,
        has_likes: true,
        has_shares: true,
        has_comments: true,
      }
      await sql`insert into feeds ${sql({ id: feedId, project_id: projectId, name: 'F', description: '', ...choices })}`
      let images = 0
      for (const step of all) {
        if ('add' in step) {
          const rows = Array.from({ length: step.add }, () => ({
            id: newId('post', START - Math.floor(Math.random() * step.spread)),
            image_id: `img_${++images}`,
            creator_id: `c${images % 3}`,
          }))
          await sql`
            insert into posts (id, feed_id, creator_id, description, image_id, plan_type, published, created_at, updated_at)
            select id, ${feedId}, creator_id, '', image_id, 'custom', ${step.published}, now(), now()
            from jsonb_to_recordset(${sql.json(rows)}) as r (id text, image_id text, creator_id text)`
        } else if ('move' in step) {
          // Some to places anywhere in the feed.
          const moved = await sql<{ id: string }[]>`
            select id from (select id, row_number() over (order by id) as n from posts where feed_id = ${feedId}) o
            where n % ${step.move} = 0`
          const rows = moved.map(({ id }) => ({
            id,
            to: newId('post', START - Math.floor(Math.random() * 1000)),
          }))
          await sql`
            update posts p set moved_to = r.to from jsonb_to_recordset(${sql.json(rows)}) as r (id text, "to" text)
            where p.id = r.id`
        } else {
          await sql`
            delete from posts where id in (
              select id from (select id, row_number() over (order by id) as n from posts where feed_id = ${feedId}) o
              where n % ${step.every} = ${step.rest})`
          await sql`
            update posts set published = true, creator_id = 'late' where feed_id = ${feedId} and not published
              and right(image_id, 1) = '3'`
        }
      }
      const ids = (
        await sql<{ id: string }[]>`
          select id from posts where feed_id = ${feedId} and published order by place desc`
      ).map(({ id }) => id)
      const [feed] = await sql`select post_count from feeds where id = ${feedId}`
      expect(feed!.post_count).toBe(ids.length)
      const blocks = await sql<
        { post_count: number }[]
      >`select post_count from feed_blocks where feed_id = ${feedId}`
      expect(blocks.reduce((sum, block) => sum + block.post_count, 0)).toBe(ids.length)
      expect(Math.max(0, ...blocks.map((block) => block.post_count))).toBeLessThan(2000)
      expect(
        await sql`
          select creator_id, post_count from feed_creators where feed_id = ${feedId}
          except select creator_id, count(*) from posts where feed_id = ${feedId} and published group by 1`,
      ).toHaveLength(0)
      for (const offset of [
        0,
        1,
        999,
        1000,
        1001,
        ids.length - 1,
        ids.length,
        ids.length + 5,
        ids.length >> 1,
      ]) {
        if (offset < 0) continue
        const wanted = {
          projectId,
          feedId,
          published: true,
          creatorId: undefined,
          after: undefined,
          limit: 5,
          offset,
        }
        const page = await findPage(sql, wanted)
        expect(
          page!.rows.map(({ id }) => id),
          `at ${offset}`,
        ).toEqual(ids.slice(offset, offset + 5))
        expect(page!.total).toBe(ids.length)
      }
      await sql`delete from feeds where id = ${feedId}`
      expect(await sql`select from feed_blocks`).toHaveLength(0)
    }),
    { numRuns: RUNS },
  )
})
