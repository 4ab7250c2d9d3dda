import { expect, test } from 'vitest'
import { listImages } from '../../server/images/store.ts'
import { listVideos } from '../../server/videos/store.ts'
import { explainer } from '../support/explainer.ts'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { clip, videoUploaderOf } from '../support/video.ts'

test('media is described, and found by what was said of it', async () => {
  const { api, seed, sql } = await composeForTest()
  const film = await videoUploaderOf(api).upload(await clip(1), { file_name: 'Harbour.mp4' })
  const photo = (await uploaderOf(api).upload(await smallJpeg(), 'Pier.jpg')).body
  expect(film).not.toHaveProperty('visibility')
  expect(film).not.toHaveProperty('metadata')

  const metadata = { episode: '3', Größe: 'ünï "quoted" %_', empty: '' }
  const said = { name: 'Harbour at night.mp4', description: 'Lights', visibility: 'unlisted', metadata }
  const changed = (await api.patch(`/videos/${film.id as string}`, said)).body
  expect(changed).toMatchObject({ description: 'Lights', visibility: 'unlisted', metadata })
  expect(changed.metadata).toEqual(metadata)
  expect((await api.get(`/videos/${film.id as string}`)).body).toEqual(changed)
  await api.patch(`/images/${photo.id as string}`, {
    visibility: 'private',
    metadata: { episode: '3', half: '\ud800' },
  })
  const shown = (await api.get(`/images/${photo.id as string}`)).body
  expect(shown).toMatchObject({ visibility: 'private', metadata: { episode: '3', half: '\ufffd' } })

  const ids = async (path: string) => {
    const { status, body } = await api.get(path)
    expect(status, path).toBe(200)
    expect(body.pagination.total, path).toBe(body.data.length)
    return body.data.map(({ id }: { id: string }) => id)
  }
  for (const [query, hasFilm, hasPhoto] of [
    ['q=harbour', true, false],
    ['q=HARBOUR%20AT', true, false],
    ['q=ie', false, true],
    ['q=lights', true, false],
    ['q=nowhere', false, false],
    ['visibility=unlisted', true, false],
    ['visibility=private', false, true],
    ['visibility=public', false, false],
    ['status=ready', true, true],
    ['status=error', false, false],
    ['metadata.episode=3', true, true],
    ['metadata.episode=4', false, false],
    [`metadata.${encodeURIComponent('Größe')}=${encodeURIComponent(metadata.Größe)}`, true, false],
    ['metadata.episode=3&metadata.empty=', true, false],
    ['metadata.episode=3&visibility=private&q=pier', false, true],
  ] as const) {
    expect(await ids(`/videos?${query}`), query).toEqual(hasFilm ? [film.id] : [])
    expect(await ids(`/images?${query}`), query).toEqual(hasPhoto ? [photo.id] : [])
    expect((await ids(`/media?${query}`)).sort(), query).toEqual(
      [...(hasFilm ? [film.id] : []), ...(hasPhoto ? [photo.id] : [])].sort(),
    )
  }
  // A poster is found among what is attached, and has the visibility of its video.
  expect(await ids('/images?attached_to_video=true&visibility=unlisted')).toEqual([film.poster.id])
  expect(await ids('/images?attached_to_video=false&visibility=private')).toEqual([photo.id])
  const refused = await api.patch(`/images/${film.poster.id as string}`, { visibility: 'public' })
  expect(refused).toMatchObject({ status: 409 })

  // All of it is replaced, or taken away.
  await api.patch(`/videos/${film.id as string}`, { metadata: { a: 'b' } })
  expect((await api.get(`/videos/${film.id as string}`)).body.metadata).toEqual({ a: 'b' })
  expect((await api.patch(`/videos/${film.id as string}`, { metadata: null })).body).not.toHaveProperty(
    'metadata',
  )
  for (const body of [
    { visibility: 'secret' },
    { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, ''])) },
    { metadata: { a: 1 } },
    { metadata: { '': 'x' } },
    { metadata: { a: '\0' } },
    { metadata: { a: 'x'.repeat(1001) } },
  ])
    expect((await api.patch(`/videos/${film.id as string}`, body)).status, JSON.stringify(body)).toBe(400)
  for (const query of ['visibility=secret', 'metadata.=x', 'metadata.a=x&metadata.a=y', 'status=lost'])
    expect((await api.get(`/videos?${query}`)).status, query).toBe(400)

  // What new media of a project begins with.
  const project: string = `/organizations/${seed.org_id}/projects/v1/${seed.project_id}`
  const set = await api.patch(`${project}/default-visibility`, { default_visibility: 'private' })
  expect(set.body).toMatchObject({ default_visibility: 'private' })
  const later = await videoUploaderOf(api).upload(await clip(1))
  expect(later).toMatchObject({ visibility: 'private', poster: { visibility: 'private' } })

  // However many there are, what is asked for is found by an index, and so is how many of that there are.
  const projectId = seed.project_id as `proj_${string}`
  await sql`
    insert into files (id, project_id, kind, name, description, status, upload_expires, visibility, metadata)
    select 'f' || n, ${projectId}, 'image', convert_to('Photo ' || md5(n::text) || case n when 4242 then ' ßŒ' else '' end, 'UTF8'),
      '', 'ready', now(), case when n % 1000 = 0 then 'private' end, jsonb_build_object('number', n::text, 'kind', 'photo')
    from generate_series(1, 10000) n`
  await sql`
    insert into images (id, project_id, file_id, width, height, thumbhash, created_at, attached_to_video)
    select 'i' || n, ${projectId}, 'f' || n, 1, 1, '', now() - n * interval '1 minute', n > 50
    from generate_series(1, 10000) n`
  await sql.unsafe('vacuum analyze media_items, attached_items, images, files')
  const { sql: explaining, plans } = explainer(sql)
  const page = { limit: 25, offset: 0, sort: 'created_at', order: 'desc' } as const
  const images = (more: object) => listImages(explaining, projectId, { ...page, ...more })
  const attached = (more: object) => images({ ...more, attached_to_video: true })
  const videos = (more: object) => listVideos(explaining, projectId, { ...page, ...more })
  for (const [ask, filter, index] of [
    [images, {}, /media_items_(of_kind|by_time)/],
    [images, { visibility: 'private' }, /media_items_(of_kind_)?by_visibility/],
    [images, { metadata: { number: '777' } }, /media_items_by_metadata/],
    [images, { q: 'c4ca4238a0' }, /media_items_by_text/],
    [images, { q: 'ß' }, /media_items_by_letters/],
    [images, { q: 'Œİ' }, /media_items_by_letters/],
    [images, { status: 'error' }, /media_items_failed/],
    [images, { attached_to_video: false, visibility: 'private' }, /media_items_(of_kind_)?by_visibility/],
    [images, { attached_to_video: false }, /media_items_unattached/],
    [images, { attached_to_video: false, sort: 'name' }, /media_items_unattached/],
    [attached, {}, /attached_items_by_time/],
    [attached, { visibility: 'private' }, /attached_items_by_visibility/],
    [attached, { metadata: { number: '7777' } }, /attached_items_by_metadata/],
    [attached, { q: '6dfe08eda761bd32' }, /attached_items_by_text/],
    [attached, { q: 'ßœ' }, /attached_items_by_letters/],
    [attached, { status: 'error' }, /attached_items_failed/],
    // A few videos among many images.
    [videos, { visibility: 'unlisted' }, /media_items_(of_kind_)?by_visibility/],
    [videos, { status: 'complete' }, /media_items_(of_kind|failed|in_progress)/],
  ] as const) {
    await ask(filter)
    const asking = plans.splice(0)
    const counts = asking.filter((plan) => plan.startsWith('Aggregate'))
    const [found, ...others] = asking.filter((plan) => !counts.includes(plan))
    const asked = `${ask.name} ${JSON.stringify(filter)}`
    expect(found, asked).toMatch(index)
    expect(others, asked).toEqual([])
    expect(counts.length, asked).toBeGreaterThan(0)
    for (const plan of asking) expect(plan, asked).not.toMatch(SCANNED)
  }
  // What others have very many of is looked for in one's own few: the index is that of all projects.
  const few = 'proj_few'
  await sql`insert into projects (id, org_id, name) values (${few}, ${seed.org_id}, 'A few')`
  await sql`
    insert into files (id, project_id, kind, name, description, status, upload_expires, metadata)
    select 'g' || n, ${few}, 'image', 'Photo', '', 'ready', now(), jsonb_build_object('kind', 'photo') from generate_series(1, 30) n`
  await sql`
    insert into images (id, project_id, file_id, width, height, thumbhash)
    select 'j' || n, ${few}, 'g' || n, 1, 1, '' from generate_series(1, 30) n`
  expect((await listImages(explaining, few, { ...page, metadata: { kind: 'photo' } })).total).toBe(30)
  // With a million elsewhere the planner takes the index where it can; of this expression there is none.
  const looking = plans.splice(0).filter((plan) => plan.includes('photo'))
  expect(looking.length).toBeGreaterThan(0)
  for (const plan of looking) expect(plan).toContain("(metadata #> '{}'")

  // What is said of an attached image later is found as well, and what is attached no more is not.
  const of = async (path: string) => (await api.get(path)).body.pagination.total
  expect(await of('/images?attached_to_video=true&visibility=private')).toBe(11)
  await api.patch(`/videos/${later.id as string}`, { visibility: 'public' })
  expect(await of('/images?attached_to_video=true&visibility=private')).toBe(10)
  await sql`update images set attached_to_video = false where id = 'i10000'`
  expect(await of('/images?attached_to_video=true&visibility=private')).toBe(9)
  expect(await ids('/images?metadata.number=777&limit=5')).toEqual(['i777'])
  for (const q of ['ß', 'œ', 'ßŒ', 'SSŒ'])
    expect(await ids(`/images?q=${encodeURIComponent(q)}`), q).toEqual(q === 'SSŒ' ? [] : ['i4242'])
  // Among very many that match, in the order of time as well.
  for (const filter of ['metadata.kind=photo', 'metadata.kind=photo&q=photo']) {
    const { data, pagination } = (await api.get(`/images?${filter}&limit=2&offset=7`)).body
    expect(data.map(({ id }: { id: string }) => id)).toEqual(['i8', 'i9'])
    expect(pagination).toMatchObject({ total: 5000, total_is_minimum: true })
  }
})

test('filters narrow each other, and take nothing for more than it is', async () => {
  const { api } = await composeForTest()
  const ids = async (path: string) => {
    const { status, body } = await api.get(path)
    expect([status, body.pagination?.total], path).toEqual([200, body.data?.length])
    return body.data.map(({ id }: { id: string }) => id)
  }
  const photo = (await uploaderOf(api).init('Quay 100%_.jpg')).body
  await uploaderOf(api).put(photo.presigned_url, new Uint8Array(await smallJpeg()))
  await uploaderOf(api).complete(photo.image_id, true)
  const about = { visibility: 'private', metadata: { episode: '3', part: 'two' } }
  expect((await api.patch(`/images/${photo.image_id as string}`, about)).status).toBe(200)
  const every: Record<string, [right: string, wrong: string]> = {
    attached_to_video: ['true', 'false'],
    visibility: ['private', 'unlisted'],
    status: ['ready', 'error'],
    q: ['quay', 'pier'],
    'metadata.episode': ['3', '4'],
    'metadata.part': ['two', 'one'],
  }
  const asked = (wrong?: string) =>
    Object.entries(every)
      .map(([name, [yes, no]]) => `${name}=${name === wrong ? no : yes}`)
      .join('&')
  expect(await ids(`/images?${asked()}`)).toEqual([photo.image_id])
  for (const name of Object.keys(every)) expect(await ids(`/images?${asked(name)}`), name).toEqual([])
  // What means something elsewhere means itself here.
  for (const q of ['100%_', '%_', '%'])
    expect(await ids(`/images?attached_to_video=true&q=${encodeURIComponent(q)}`), q).toEqual([
      photo.image_id,
    ])
  for (const q of ['0_', '%%', '\\', "' or '1'='1", "'; drop table files; --", '.*', '\ud800'])
    expect(await ids(`/images?attached_to_video=true&q=${encodeURIComponent(q.toWellFormed())}`), q).toEqual(
      [],
    )
  for (const metadata of [
    '__proto__=x',
    'constructor=x',
    "episode'=3",
    'episode=%25',
    'a.b=3',
    '%22=3',
    '%7B%7D=3',
    `${'k'.repeat(101)}=a`,
    `episode=${'3'.repeat(1001)}`,
  ])
    expect(await ids(`/images?attached_to_video=true&metadata.${metadata}`), metadata).toEqual([])
  const many = Array.from({ length: 11 }, (_, i) => `metadata.k${i}=x`).join('&')
  for (const query of [
    ...['visibility=secret', 'visibility=', 'status=gone', 'attached_to_video=maybe', 'attached_to_video=1'],
    ...['q=%00', 'metadata.a=%00', 'metadata.%00=a', 'metadata.=a', `q=${'x'.repeat(2000)}`, many],
    ...['visibility=private&visibility=public', 'q=a&q=b', 'metadata.a=1&metadata.a=2'],
  ])
    for (const list of ['images', ...(query.startsWith('attached') ? [] : ['videos'])])
      expect((await api.get(`/${list}?${query}`)).status, `${list}: ${query}`).toBe(400)
})

/** All of a table that grows with what there is. */
const SCANNED = /Seq Scan on (media_items|attached_items|images|files)/
