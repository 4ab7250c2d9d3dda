import { expect, test } from 'vitest'
import { newId } from '../../server/base/ids.ts'
import { type Api, bearer, key } from '../support/api.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { local, uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { clip, videoUploaderOf } from '../support/video.ts'
import { addMember, addTenant } from '../support/world.ts'

interface Item {
  id: string
  kind: string
  name: string
  size: number
  duration?: number
  created_at: string
}

/** What a list answers, and how many it says there are. */
async function idsOf(api: Api, query = ''): Promise<string[]> {
  const { status, body } = await api.get(`/media${query}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  expect(body.pagination.total, query).toBe(body.data.length)
  return body.data.map(({ id }: Item) => id)
}

test('videos and images are in one list, by what people call them', async () => {
  const service = await composeForTest()
  const { api, sql } = service
  const images = uploaderOf(api)
  const harbour = (await images.upload(await smallJpeg(), '100%_Harbour\0.jpg')).body
  const sea = (await images.upload(await smallJpeg(), 'ÄRMELKANAL.jpg')).body
  const video = await videoUploaderOf(api).upload(await clip(), { file_name: 'Walk.mp4' })

  const { body } = await api.get('/media')
  expect(body.pagination).toEqual({ limit: 25, offset: 0, total: 3 })
  expect(body.data.map(({ id }: Item) => id)).toEqual([video.id, sea.id, harbour.id])
  expect(body.data[0]).toEqual({
    id: video.id,
    kind: 'video',
    name: 'Walk.mp4',
    status: 'ready',
    size: video.file.size,
    duration: video.duration,
    width: 160,
    height: 90,
    thumbhash: video.poster.thumbhash,
    percent: expect.any(Number),
    url: video.file.url,
    thumbnail_url: `${video.poster.file.url}?w=640`,
    created_at: video.created_at,
  })
  expect(body.data[2]).toMatchObject({ kind: 'image', name: '100%_Harbour\0.jpg', url: harbour.file.url })
  // Whatever is in a name, webhooks are told of it, and of all that comes after.
  await expect.poll(async () => (await sql`select from webhook_outbox`).length).toBe(0)
  expect(body.data[2]).not.toHaveProperty('duration')
  for (const item of body.data) expect((await fetch(local(item.thumbnail_url))).status).toBe(200)
  const percent = async () => (await api.get('/media?kind=video')).body.data[0].percent
  await expect.poll(percent, { timeout: 15_000 }).toBe(100)
  expect((await api.get(`/videos/${video.id}/progress`)).body.status).toBe('complete')

  // Named and described: what is left out stays, null and nothing take a description away.
  const patch = (path: string, changes: object) => api.patch(path, changes)
  const renamed = await patch(`/videos/${video.id}`, {
    name: 'Spaziergang',
    description: 'At 50% of the PIER',
  })
  expect(renamed).toMatchObject({
    status: 200,
    body: { id: video.id, file: { name: 'Spaziergang' }, description: 'At 50% of the PIER' },
  })
  expect((await api.get(`/videos/${video.id}`)).body).toEqual(renamed.body)
  const described = await patch(`/images/${sea.id}`, { description: 'Grey' })
  expect(described.body).toMatchObject({ file: { name: 'ÄRMELKANAL.jpg' }, description: 'Grey' })
  expect((await api.get(`/images/${sea.id}`)).body).toEqual(described.body)
  expect((await patch(`/images/${sea.id}`, { name: 'Ärmelkanal' })).body.description).toBe('Grey')
  for (const description of [null, '']) {
    await patch(`/images/${sea.id}`, { description: 'Grey' })
    expect((await patch(`/images/${sea.id}`, { description })).body).not.toHaveProperty('description')
  }
  for (const changes of [
    { name: '' },
    { name: null },
    { description: 'a\0b' },
    { description: 'x'.repeat(5001) },
  ])
    for (const path of [`/videos/${video.id}`, `/images/${sea.id}`])
      expect((await patch(path, changes)).status, JSON.stringify(changes)).toBe(400)

  // Search is literal, whatever the case.
  const found = (q: string) => idsOf(api, `?q=${encodeURIComponent(q)}`)
  expect(await found('spazier')).toEqual([video.id])
  expect(await found('walk.mp4')).toEqual([])
  expect(await found('0% of the pier')).toEqual([video.id])
  expect(await found('100%_h')).toEqual([harbour.id])
  expect(await found('%')).toEqual([video.id, harbour.id])
  expect(await found('_harb_ur')).toEqual([])
  expect(await found('ÄrmelKanal')).toEqual([sea.id])
  expect(await found(sea.id.slice(0, 25).toUpperCase())).toEqual([sea.id])
  expect(await found('')).toHaveLength(3)

  expect(await idsOf(api, '?kind=image')).toEqual([sea.id, harbour.id])
  expect(await idsOf(api, `?ids=${harbour.id},${video.id},${newId('image')}`)).toEqual([video.id, harbour.id])
  expect(await idsOf(api, `?ids=${harbour.id},${video.id}&kind=image`)).toEqual([harbour.id])
  expect(await idsOf(api, '?max_duration=60')).toEqual([video.id])
  expect(await idsOf(api, '?min_duration=60')).toEqual([])
  expect(await idsOf(api, `?min_size=${video.file.size}`)).toEqual([video.id])
  expect(await idsOf(api, `?max_size=${video.file.size - 1}&kind=video`)).toEqual([])
  expect(await idsOf(api, '?created_after=0000-01-01T00:00:00Z&created_before=0001-01-01T00:00:00Z')).toEqual(
    [],
  )
  const [when] = await sql<{ at: string }[]>`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from images where id = ${sea.id}`
  expect(await idsOf(api, `?created_after=${when!.at}`)).toEqual([video.id, sea.id])
  expect(await idsOf(api, `?created_before=${when!.at}`)).toEqual([harbour.id])
  await sql`update files set status = 'error' where id = ${video.file.id}`
  expect(await idsOf(api, '?status=error')).toEqual([video.id])
  expect(await idsOf(api, '?status=ready')).toEqual([sea.id, harbour.id])

  const { body: feed } = await api.post('/feeds', { name: 'F' })
  const content = { content_ids: [harbour.id, video.id], content_type: 'mixed' }
  await api.post(`/feeds/${feed.id}/content`, content)
  expect(await idsOf(api, `?feed_id=${feed.id}`)).toEqual([video.id, harbour.id])
  await api.delete(`/feeds/${feed.id}`)
  expect(await idsOf(api, `?feed_id=${feed.id}`)).toEqual([])

  // Nobody else sees or changes any of it, and permissions are those of each kind.
  const tenant = await addTenant(service, 'other')
  const theirs = api.as(key(tenant.secretKey))
  expect(await idsOf(theirs)).toEqual([])
  expect(await idsOf(theirs, `?ids=${video.id},${sea.id}`)).toEqual([])
  const theirFeed = (await theirs.post('/feeds', { name: 'F' })).body.id
  expect(await idsOf(api, `?feed_id=${theirFeed}`)).toEqual([])
  expect((await theirs.patch(`/videos/${video.id}`, { name: 'x' })).status).toBe(404)
  expect((await theirs.patch(`/images/${sea.id}`, { name: 'x' })).status).toBe(404)
  const onlyVideos = await addMember(service, tenant, 'v@other.example', ['videos:read'])
  const inProject = onlyVideos.api.as({ ...bearer(onlyVideos.token), 'x-project-id': tenant.projectId })
  expect((await inProject.get('/media')).body).toMatchObject({ code: 403, details: 'needs images:read' })
  expect((await inProject.get('/media?kind=video')).status).toBe(200)
  expect((await inProject.get(`/media?kind=video&feed_id=${theirFeed}`)).status).toBe(403)
  for (const path of [
    '/media?kind=audio',
    '/media?sort=updated_at',
    '/media?status=uploading',
    '/media?limit=101',
    '/media?ids=',
    `/media?ids=${sea.id},`,
    `/media?ids=${Array(101).fill(sea.id)}`,
  ])
    expect((await api.get(path)).status, path).toBe(400)
  expect((await api.delete(`/images/${sea.id}`)).status).toBe(204)
  expect((await api.delete(`/videos/${video.id}`)).status).toBe(204)
  expect(await idsOf(api)).toEqual([harbour.id])
  for (const path of [`/videos/${video.id}`, `/images/${sea.id}`])
    expect((await patch(path, { name: 'x' })).status).toBe(404)
})

test('what is still being made is told apart from what is complete', async () => {
  const service = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const { api, sql } = service
  const image = (await uploaderOf(api).upload(await smallJpeg(), 'a.jpg')).body
  const videos = videoUploaderOf(api)
  const [film, other] = [await videos.upload(await clip()), await videos.upload(await clip())]
  const states = async () => ({
    processing: await idsOf(api, '?status=processing'),
    complete: await idsOf(api, '?status=complete'),
    ready: await idsOf(api, '?status=ready'),
    error: await idsOf(api, '?status=error'),
  })
  // The first rendition is made for the poster; one more is made by nobody here, so that both wait.
  await sql`update playback_plans set plan = jsonb_set(plan, '{audio}', plan->'audio' || '[{"name": "late"}]')`
  const ready = [other.id, film.id, image.id]
  const waiting = [other.id, film.id]
  expect(await states()).toEqual({ processing: waiting, complete: [image.id], ready, error: [] })

  /** As the one who makes segments notes it when all of a rendition is there. */
  const settle = (names: string[]) => sql`
    update playback_plans set rates = rates || (select jsonb_object_agg(name, '{}'::jsonb) from unnest(${names}::text[]) name)
    where file_id = ${film.file.id}`
  const [planned] = await sql<{ names: string[] }[]>`
    select array(select one->>'name' from jsonb_array_elements((plan->'video') || (plan->'audio')) one) as names
    from playback_plans where file_id = ${film.file.id}`
  const { names } = planned!
  expect(names.at(-1)).toBe('late')
  await settle(names.slice(0, -1))
  expect((await states()).processing).toEqual(waiting)
  await settle(names)
  expect(await states()).toMatchObject({ processing: [other.id], complete: [film.id, image.id] })

  // Another sound is still to be made, until it is, or is taken away.
  const track = newId('track')
  await sql`
    insert into audio_tracks (id, video_id, position, language_code, label, name, format, size)
    values (${track}, ${film.id}, 1, 'de', 'Deutsch', 'a', 'aac', 1)`
  expect((await states()).processing).toEqual(waiting)
  await settle([track])
  expect((await states()).processing).toEqual([other.id])
  await sql`update playback_plans set rates = rates - ${track} where file_id = ${film.file.id}`
  expect((await states()).processing).toEqual(waiting)
  await sql`delete from audio_tracks where id = ${track}`
  expect((await states()).complete).toEqual([film.id, image.id])

  await sql`update files set status = 'error' where id = ${other.file.id}`
  expect(await states()).toMatchObject({ processing: [], ready: [film.id, image.id], error: [other.id] })
})

/** Many items of which none was uploaded. */
async function fill({ sql, seed }: InProcess, count: number): Promise<void> {
  const pick = <T>(of: T[], i: number) => of[(i * 7) % of.length]!
  for (let i = 0; i < count; i++) {
    const isVideo = i % 3 === 0
    const [fileId, posterFile] = [newId('file'), newId('file')]
    const [imageId, videoId] = [newId('image'), newId('video')]
    const name = Buffer.from(pick(['b', 'B', 'a', 'Ä', 'z', 'a'], i))
    const size = pick([0, 5, 5, 9_000_000_000], i)
    const made = `2026-01-01T00:00:00.00000${i % 5}Z`
    await sql.begin(async (tx) => {
      for (const id of isVideo ? [fileId, posterFile] : [fileId])
        await tx`
          insert into files (id, project_id, kind, name, size, status, upload_expires)
          values (${id}, ${seed.project_id}, 'image', ${name}, ${size}, 'ready', now())`
      await tx`
        insert into images (id, project_id, file_id, width, height, thumbhash, created_at, poster_of)
        values (${imageId}, ${seed.project_id}, ${isVideo ? posterFile : fileId}, 1, 1, 'x', ${made},
          ${isVideo ? videoId : null})`
      if (isVideo)
        await tx`
          insert into videos (id, project_id, file_id, poster_id, quality, plan_type, duration, width, height, created_at)
          values (${videoId}, ${seed.project_id}, ${fileId}, ${imageId}, 'basic', 'free', ${pick([0.1, 2.5, 2.5], i)},
            1, 1, ${made})`
    })
  }
}

test('every order can be scrolled through, ties included', async () => {
  const service = await composeForTest()
  const { api, sql } = service
  await fill(service, 60)
  const all: (Item & { at: string })[] = await sql`
    select id, convert_from(name, 'UTF8') as name, size, duration, created_at::text as at from (
      select v.id, f.name, f.size, v.duration, v.created_at from videos v join files f on f.id = v.file_id
      union all
      select i.id, f.name, f.size, 0, i.created_at from images i join files f on f.id = i.file_id where poster_of is null
    ) items`
  const keyOf = { created_at: 'at', name: 'name', size: 'size', duration: 'duration' } as const
  const compare = <T>(one: T, other: T) => (one < other ? -1 : one > other ? 1 : 0)
  for (const sort of ['created_at', 'name', 'size', 'duration'] as const)
    for (const order of ['asc', 'desc']) {
      const sortedBy = (item: (typeof all)[0]) => {
        const value = item[keyOf[sort]] ?? 0
        return typeof value === 'string' ? value.toLowerCase() : value
      }
      const expected = all
        .toSorted((a, b) => compare(sortedBy(a), sortedBy(b)) || compare(a.id, b.id))
        .map(({ id }) => id)
      if (order === 'desc') expected.reverse()
      const seen: string[] = []
      for (let cursor = ''; ; ) {
        const { body } = await api.get(`/media?sort=${sort}&order=${order}&limit=7${cursor}`)
        expect(body.pagination.total).toBe(60)
        seen.push(...body.data.map(({ id }: Item) => id))
        if (!body.pagination.next_cursor) break
        cursor = `&cursor=${body.pagination.next_cursor}`
      }
      expect(seen, `${sort} ${order}`).toEqual(expected)
      const second = await api.get(`/media?sort=${sort}&order=${order}&limit=20&offset=20`)
      expect(second.body.data.map(({ id }: Item) => id)).toEqual(expected.slice(20, 40))
    }

  const { next_cursor: cursor } = (await api.get('/media?limit=1')).body.pagination
  const { id } = all[0]!
  const forged = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const bad = [
    `sort=name&cursor=${cursor}`,
    `order=asc&cursor=${cursor}`,
    `offset=1&cursor=${cursor}`,
    `cursor=${cursor}A`,
    'cursor=x',
    `cursor=${forged('created_at', 'desc', 'now', id)}`,
    `cursor=${forged('created_at', 'desc', 1, `${id}'`)}`,
    `sort=name&cursor=${forged('name', 'desc', 'a\0', id)}`,
    `sort=size&cursor=${forged('size', 'desc', 1.5, id)}`,
    `sort=duration&cursor=${forged('duration', 'desc', '1', id)}`,
  ]
  for (const query of bad) expect((await api.get(`/media?${query}`)).status, query).toBe(400)
  const extreme = forged('created_at', 'desc', Number.MAX_SAFE_INTEGER, id)
  expect((await api.get(`/media?cursor=${extreme}`)).body.data).toHaveLength(25)
})
