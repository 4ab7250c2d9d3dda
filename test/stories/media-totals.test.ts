import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ProjectId } from '../../server/base/ids.ts'
import { VISIBILITIES, WANTED_STATUSES } from '../../server/base/media.ts'
import { listImages } from '../../server/images/store.ts'
import type { Sql } from '../../server/platform/postgres/client.ts'
import { countMedia, gatherCounts } from '../../server/uploads/index.ts'
import { explainer } from '../support/explainer.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'

const RUNS = process.env.MARQUEE_TEST_LONG ? 300 : 30
const ITEMS = 6
const COUNTED = 5000
const MORE_THAN_COUNTED = 9000

test('whatever happens to media, every list knows how many it has', async () => {
  const { sql, seed } = await composeForTest()
  const projectId = seed.project_id as ProjectId
  for (let n = 0; n < ITEMS; n++) await addItem(sql, projectId, n)
  await addBegunVideo(sql, projectId)
  const item = fc.nat(ITEMS - 1)
  const change = fc.oneof(
    fc.tuple(fc.constant('visibility' as const), item, fc.constantFrom(null, ...VISIBILITIES)),
    fc.tuple(fc.constant('status' as const), item, fc.constantFrom('ready', 'error')),
    fc.tuple(fc.constant('attached' as const), item, fc.boolean()),
    fc.tuple(fc.constant('poster' as const), item, fc.boolean()),
    fc.tuple(fc.constant('width' as const), item, fc.boolean()),
    fc.tuple(fc.constant('deleted' as const), item, fc.boolean()),
    fc.tuple(fc.constant('purged' as const), item, fc.constant(true)),
    fc.tuple(fc.constant('gather' as const), item, fc.boolean()),
  )
  const script = fc.array(change, { minLength: 5, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(script, async (changes) => {
      for (const [what, n, to] of changes) await CHANGES[what](sql, projectId, n, to as never)
      // What images are told apart by is what their rows in the lists say.
      expect(
        await sql`select i.id from images i join media_items m on m.id = i.id
          where m.is_attached <> i.attached_to_video`,
      ).toEqual([])
      for (const visibility of [undefined, ...VISIBILITIES])
        for (const status of [undefined, ...WANTED_STATUSES])
          for (const list of Object.keys(SLOW) as (keyof typeof SLOW)[]) {
            const real = await countSlowly(sql, projectId, list, { visibility, status })
            const said = await countMedia(sql, projectId, list, { visibility, status })
            expect({ list, visibility, status, total: said }).toEqual({
              ...{ list, visibility, status, total: real },
            })
          }
    }),
    { numRuns: RUNS },
  )
  // Many rows become few, also by several at once, and what nothing is left of leaves none.
  await Promise.all(Array.from({ length: 4 }, () => gatherCounts(sql)))
  await sql`delete from files where project_id = ${projectId}`
  await gatherCounts(sql)
  expect(await sql`select items from media_counts where project_id = ${projectId}`).toEqual([])
})

test('changes beside each other, and beside the one who gathers, are all counted', async () => {
  const { sql, seed } = await composeForTest()
  const projectId = seed.project_id as ProjectId
  const changes = Array.from({ length: 8 }, async (_, lane) => {
    for (let i = 0; i < 20; i++) {
      const n = lane * 100 + i
      await addItem(sql, projectId, n)
      await CHANGES.visibility(sql, projectId, n, i % 2 ? 'private' : 'unlisted')
      if (i % 3 === 0) await CHANGES.deleted(sql, projectId, n, true)
    }
  })
  let isDone = false
  const gathering = Array.from({ length: 2 }, async () => {
    while (!isDone) await gatherCounts(sql)
  })
  await Promise.all(changes)
  isDone = true
  await Promise.all(gathering)
  const real = await countSlowly(sql, projectId, 'media', {})
  expect(real).toBe(8 * 13)
  expect(await countMedia(sql, projectId, 'media')).toBe(real)
  await gatherCounts(sql)
  expect(await countMedia(sql, projectId, 'media')).toBe(real)
})

test('what changed far more often than the planner believes is gathered at once', async () => {
  const { sql, seed } = await composeForTest()
  const changes = 30_000
  const change = () => sql`
    insert into media_counts (project_id, list, kind, visibility, status, is_made, items)
    select ${seed.project_id}, 'media_items', 'image', 'v' || n % 3, 'ready', true, 1 from generate_series(1, ${changes}::int) n`
  // The place of those that are gone is what the next ones take: a table that was empty when it was looked at.
  await change()
  await sql`delete from media_counts`
  await sql.unsafe('vacuum (analyze, truncate off) media_counts')
  await change()
  await gatherCounts(sql)
  const rows =
    await sql`select visibility, items from media_counts where project_id = ${seed.project_id} order by 1`
  expect(rows.map(({ visibility, items }) => [visibility, items])).toEqual([
    ['v0', changes / 3],
    ['v1', changes / 3],
    ['v2', changes / 3],
  ])
})

test('a search that finds very many says so, and is paged through to its end', async () => {
  const { sql, seed, api } = await composeForTest()
  await addMany(sql, seed.project_id)
  const pageAt = async (path: string, offset: number) => {
    const { data, pagination } = (await api.get(`${path}&limit=100&offset=${offset}`)).body
    return { count: data.length, ...pagination }
  }
  // What is in all; in the older half alone, so that the newest do not tell; and in few.
  for (const query of ['q=photo', 'metadata.kind=photo', 'q=o%20', 'q=photo&metadata.kind=photo']) {
    for (const list of ['/images', '/media']) {
      const path = `${list}?${query}`
      expect(await pageAt(path, 0)).toMatchObject({ count: 100, total: COUNTED, total_is_minimum: true })
      const atTheCount = await pageAt(path, COUNTED - 100)
      expect(atTheCount).toMatchObject({ count: 100, total: COUNTED + 1, total_is_minimum: true })
      const last = await pageAt(path, MORE_THAN_COUNTED - 50)
      expect(last).toMatchObject({ count: 50, total: MORE_THAN_COUNTED })
      expect(last).not.toHaveProperty('total_is_minimum')
      const exactEnd = await pageAt(path, MORE_THAN_COUNTED - 100)
      expect(exactEnd).toMatchObject({ count: 100, total: MORE_THAN_COUNTED })
      expect(exactEnd).not.toHaveProperty('total_is_minimum')
    }
  }
  const inOld = await pageAt('/images?metadata.half=old', 0)
  expect(inOld).toEqual({ count: 100, limit: 100, offset: 0, total: MORE_THAN_COUNTED / 2 })
  expect(await pageAt('/images?metadata.half=new', 0)).toMatchObject({ total: MORE_THAN_COUNTED / 2 })
  expect(await pageAt('/images?q=photo%20number%207777', 0)).toMatchObject({ count: 1, total: 1 })
  // As many as are counted, and no more, all of them the newest.
  const exactly = await pageAt('/images?metadata.newest=yes', 0)
  expect(exactly).toEqual({ count: 100, limit: 100, offset: 0, total: COUNTED })
  // What has a state is counted whole.
  for (const path of [
    '/images?',
    '/images?visibility=public',
    '/images?status=complete',
    '/media?kind=image',
  ]) {
    const page = await pageAt(path, 0)
    expect(page, path).toMatchObject({ total: MORE_THAN_COUNTED })
    expect(page, path).not.toHaveProperty('total_is_minimum')
  }
})

test('what is in very many, but in none of those that a list begins with, is found by its index', async () => {
  const { api, seed, sql } = await composeForTest()
  const projectId = seed.project_id as ProjectId
  await addMany(sql, projectId)
  const { sql: explaining, plans } = explainer(sql)
  const page = { limit: 2, offset: 0, sort: 'created_at', q: 'photo' } as const
  const planOf = async (order: 'asc' | 'desc') => {
    await listImages(explaining, projectId, { ...page, order })
    return plans.splice(0).findLast((plan) => !plan.startsWith('Aggregate'))
  }
  // Most of all have it: some are met soon.
  expect(await planOf('desc')).not.toContain('media_items_by_text')
  await addOthers(sql, projectId, 'before', 2000)
  expect(await planOf('desc')).not.toContain('media_items_by_text')
  await addOthers(sql, projectId, 'more', MORE_THAN_COUNTED)
  expect(await planOf('desc')).toContain('media_items_by_text')
  expect(await planOf('asc')).not.toContain('media_items_by_text')

  const numbersAt = async (path: string) => {
    const { status, body } = await api.get(path)
    expect({ status, body }, path).toMatchObject({ status: 200 })
    const { data, pagination } = body
    return { numbers: data.map(({ id }: { id: string }) => Number(id.slice(4))), ...pagination }
  }
  const first = await numbersAt('/images?q=photo&limit=2')
  expect(first).toMatchObject({ numbers: [1, 2], total: COUNTED, total_is_minimum: true })
  expect(await numbersAt('/images?q=photo&limit=2&offset=8998')).toMatchObject({ numbers: [8999, 9000] })
  const media = await numbersAt('/media?q=photo&limit=2')
  expect(media).toMatchObject({ numbers: [1, 2], total: COUNTED, total_is_minimum: true })
  const next = await numbersAt(`/media?q=photo&limit=2&cursor=${media.next_cursor as string}`)
  expect(next).toMatchObject({ numbers: [3, 4] })
})

/** Newer than all, and without what is searched for. */
async function addOthers(sql: InProcess['sql'], projectId: string, name: string, count: number) {
  await sql`
    insert into files (id, project_id, kind, name, description, status, upload_expires)
    select ${name} || n, ${projectId}, 'image', 'Plate', '', 'ready', now() from generate_series(1, ${count}::int) n`
  await sql`
    insert into images (id, project_id, file_id, width, height, thumbhash, created_at)
    select ${name} || n, ${projectId}, ${name} || n, 1, 1, '', now() + n * interval '1 minute'
    from generate_series(1, ${count}::int) n`
  await sql.unsafe('vacuum analyze media_items, images, files')
}

async function addMany(sql: InProcess['sql'], projectId: string): Promise<void> {
  await sql`
    insert into files (id, project_id, kind, name, description, status, upload_expires, metadata)
    select 'many' || n, ${projectId}, 'image', convert_to('Photo number ' || n || ' o ', 'UTF8'), '', 'ready', now(),
      jsonb_build_object('kind', 'photo', 'half', case when n > ${MORE_THAN_COUNTED / 2} then 'old' else 'new' end,
        'newest', case when n <= ${COUNTED} then 'yes' else 'no' end)
    from generate_series(1, ${MORE_THAN_COUNTED}::int) n`
  await sql`
    insert into images (id, project_id, file_id, width, height, thumbhash, created_at)
    select 'img_' || lpad(n::text, 26, '0'), ${projectId}, 'many' || n, 1, 1, '', now() - n * interval '1 minute'
    from generate_series(1, ${MORE_THAN_COUNTED}::int) n`
  await sql.unsafe('vacuum analyze media_items, images, files')
}

const fileOf = (projectId: string, n: number) => `f${n}${projectId}`
const imageOf = (projectId: string, n: number) => `i${n}${projectId}`

async function addItem(sql: Sql, projectId: ProjectId, n: number): Promise<void> {
  await sql`
    insert into files (id, project_id, kind, name, description, status, upload_expires)
    values (${fileOf(projectId, n)}, ${projectId}, 'image', '', '', 'ready', now())`
  await sql`
    insert into images (id, project_id, file_id, width, height, thumbhash)
    values (${imageOf(projectId, n)}, ${projectId}, ${fileOf(projectId, n)}, 1, 1, '')`
}

const videoOf = (projectId: string) => `v${projectId}`

/** Whose poster an image may be. */
async function addBegunVideo(sql: Sql, projectId: ProjectId): Promise<void> {
  for (const n of [-1, -2])
    await sql`
      insert into files (id, project_id, kind, name, description, status, upload_expires)
      values (${fileOf(projectId, n)}, ${projectId}, 'video', '', '', 'uploading', now())`
  await sql`
    insert into images (id, project_id, file_id) values (${imageOf(projectId, -2)}, ${projectId}, ${fileOf(projectId, -2)})`
  await sql`
    insert into videos (id, project_id, file_id, poster_id, quality, plan_type)
    values (${videoOf(projectId)}, ${projectId}, ${fileOf(projectId, -1)}, ${imageOf(projectId, -2)}, 'basic', 'free')`
}

type Change<To> = (sql: Sql, projectId: ProjectId, n: number, to: To) => Promise<unknown>

/** What rooms do to the tables that own the facts. */
const CHANGES = {
  visibility: ((sql, projectId, n, to) =>
    sql`update files set visibility = ${to} where id = ${fileOf(projectId, n)}`) as Change<string | null>,
  status: ((sql, projectId, n, to) =>
    sql`update files set status = ${to} where id = ${fileOf(projectId, n)}`) as Change<string>,
  attached: ((sql, projectId, n, to) =>
    sql`update images set attached_to_video = ${to} or poster_of is not null
      where id = ${imageOf(projectId, n)}`) as Change<boolean>,
  poster: (async (sql, projectId, n, to) => {
    const video = videoOf(projectId)
    // A video has one.
    await sql`update images set poster_of = null where poster_of = ${video}`
    await sql`
      update images set poster_of = ${to ? video : null}, attached_to_video = attached_to_video or ${to}
      where id = ${imageOf(projectId, n)}`
  }) as Change<boolean>,
  width: ((sql, projectId, n, to) =>
    sql`update images set width = ${to ? 1 : null} where id = ${imageOf(projectId, n)}`) as Change<boolean>,
  deleted: ((sql, projectId, n, to) =>
    sql`update images set deleted_at = case when ${to} then now() end
      where id = ${imageOf(projectId, n)}`) as Change<boolean>,
  purged: (async (sql, projectId, n) => {
    await sql`delete from files where id = ${fileOf(projectId, n)}`
    await addItem(sql, projectId, n)
  }) as Change<boolean>,
  gather: ((sql) => gatherCounts(sql)) as Change<boolean>,
}

/** What each list has, by the tables that own the facts; images alone are changed here. */
const SLOW = {
  media: 'i.poster_of is null',
  images: 'i.poster_of is null',
  videos: 'false',
  attached: 'i.attached_to_video',
  unattached: 'i.poster_of is null and not i.attached_to_video',
}

async function countSlowly(
  sql: Sql,
  projectId: ProjectId,
  list: keyof typeof SLOW,
  { visibility, status }: { visibility?: string; status?: string },
): Promise<number> {
  const states: Record<string, string> = { error: "f.status = 'error'", processing: 'false' }
  const state = status ? (states[status] ?? "f.status = 'ready'") : 'true'
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from images i join files f on f.id = i.file_id
    where i.project_id = ${projectId} and i.width is not null and i.deleted_at is null and ${sql.unsafe(SLOW[list])}
      and ${sql.unsafe(state)} and (${visibility ?? null}::text is null or coalesce(f.visibility, 'public') = ${visibility ?? null})`
  return row!.total
}
