import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { key } from '../support/api.ts'
import { scratchFolder } from '../support/backups.ts'
import { videoOf, watching } from '../support/events.ts'
import { killedCommand, marquee } from '../support/marquee.ts'
import { filesBelow, uploaderOf } from '../support/media.ts'
import { authorOf } from '../support/posts.ts'
import { serviceForTest } from '../support/service.ts'
import { clip, formsOf, made, videoUploaderOf } from '../support/video.ts'

const HOSTILE = '../../résumé: "a|b?*"\u0000.jpg'
const WATCHED = 40
const SUBTITLES = 'WEBVTT\n\n00:00.000 --> 00:01.000\nHällo\n'

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

async function eventsIn(file: string) {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  return (await connection.runAndReadAll(`select * from read_parquet('${file}')`)).getRowObjectsJson()
}

test('a project is written into a folder while the service runs: files as they were sent, records, events, and nothing of another', async () => {
  const service = await serviceForTest()
  const { api, dataDir, quickstart } = service
  const picture = await scene(200, 100).jpeg().toBuffer()
  const film = await clip(2)
  // Without tags, which a track is kept without.
  const tone = await made(
    ['-f', 'lavfi', '-i', 'sine=frequency=220:duration=2', '-id3v2_version', '0', '-fflags', '+bitexact'],
    'mp3',
  )
  const image = (await uploaderOf(api).upload(picture, HOSTILE)).body
  const video = await videoUploaderOf(api).upload(film)
  const { put } = formsOf({ url: service.url, seed: { api_key: quickstart.api_key } })
  for (const [address, content] of [
    [`/videos/${video.id}/subtitles/de`, SUBTITLES],
    [`/videos/${video.id}/audio-tracks/en`, tone],
  ] as const)
    expect((await put(address, ['file', { content }])).status).toBe(200)
  const description = 'two\nlines, "quoted"'
  await api.patch(`/videos/${video.id}`, { description, metadata: { 'a key': 'ü' } })
  const feed = (await api.post('/feeds', { name: 'News' })).body
  const post = await authorOf(api, quickstart.project_id, feed.id).post(picture, { description: 'A post' })
  const deleted = (await uploaderOf(api).upload(picture, 'deleted.jpg')).body
  await api.delete(`/images/${deleted.id}`)
  const events = await api.post('/analytics/v1/events', watching(videoOf(1), WATCHED, { user_id: 'ann' }))
  expect(events.status, JSON.stringify(events.body)).toBe(200)

  const other = (await marquee(dataDir, 'projects', 'create', '--name', 'Other', '--json')).json()
  const created = await marquee(dataDir, 'keys', 'create', '--project', other.id, '--name', 'k', '--json')
  const there = api.as(key(created.json().secret))
  const theirs = (await uploaderOf(there).upload(await scene(50, 50).jpeg().toBuffer(), 'theirs.jpg')).body
  await there.post('/analytics/v1/events', watching(videoOf(2), 3))

  const folder = path.join(scratchFolder(), 'exported')
  const exporting = ['export', quickstart.project_id, folder]
  const begun = path.join(folder, 'media/videos')
  // Cut off anywhere, it is done by doing it again.
  await killedCommand({ MARQUEE_DATA_DIR: dataDir }, () => existsSync(begun), ...exporting)
  writeFileSync(path.join(begun, 'stale.mp4'), 'deleted meanwhile')
  const before = path.join(begun, video.id, 'subtitles/de.vtt')
  mkdirSync(path.dirname(before), { recursive: true })
  writeFileSync(before, 'replaced meanwhile')
  const done = await marquee(dataDir, ...exporting, '--json')
  expect(done.code, done.err).toBe(0)
  expect(done.json()).toMatchObject({
    project: quickstart.project_id,
    events: WATCHED,
    missing: [],
    records: { videos: 1, images: 3, subtitles: 1, audio_tracks: 1, feeds: 1, posts: 1 },
  })

  const records = (table: string) => linesOf(path.join(folder, 'records', `${table}.ndjson`))
  const fileOf = (record: { file: string }) => readFileSync(path.join(folder, record.file))
  const [shown] = records('videos')
  expect(shown).toMatchObject({ id: video.id, description, metadata: { 'a key': 'ü' } })
  expect(fileOf(shown).equals(film)).toBe(true)
  expect(fileOf(records('subtitles')[0]).toString()).toContain('Hällo')
  expect(fileOf(records('audio_tracks')[0]).equals(tone)).toBe(true)
  const images = records('images')
  expect(images.map(({ id }) => id)).toContain(image.id)
  // The video's poster is one too.
  const uploaded = images.filter(({ poster_of }) => !poster_of)
  expect(uploaded).toHaveLength(2)
  for (const one of uploaded) expect(fileOf(one).equals(picture)).toBe(true)
  const named = images.find(({ id }) => id === image.id)
  expect(named.name).toBe(image.file.name.replace('\u0000', ' '))
  expect(path.dirname(named.file)).toBe(`media/images/${image.id}`)
  expect(records('posts')).toMatchObject([{ id: post.id, feed_id: feed.id, description: 'A post' }])

  const rows = await eventsIn(path.join(folder, 'events.parquet'))
  expect(rows).toHaveLength(WATCHED)
  expect(rows[0]).toMatchObject({
    kind: 'content_view',
    content_id: videoOf(1),
    time: expect.stringMatching(/^\d{4}-/),
  })

  // What is listed is what there is, byte for byte; of others, of the trash and of secrets there is nothing.
  const listed = linesOf(path.join(folder, 'files.ndjson'))
  expect(listed.map(({ file }) => path.join(folder, file)).sort()).toEqual(
    filesBelow(path.join(folder, 'media')).sort(),
  )
  for (const { file, size, sha256 } of listed) {
    const content = readFileSync(path.join(folder, file))
    expect({ size: content.length, sha256: createHash('sha256').update(content).digest('hex') }).toEqual({
      size,
      sha256,
    })
  }
  const all = filesBelow(folder)
    .map((file) => file + readFileSync(file, 'latin1'))
    .join()
  for (const foreign of [theirs.id, deleted.id, videoOf(2), quickstart.api_key])
    expect(all).not.toContain(foreign)
})

test('what is somebody’s stays, and a project that there is not is not exported', async () => {
  const { dataDir, quickstart } = await serviceForTest()
  const folder = scratchFolder()
  writeFileSync(path.join(folder, 'letter.txt'), 'dear')
  const refusals: [string[], RegExp][] = [
    [[quickstart.project_id, folder], /not empty: letter\.txt/],
    [
      ['proj_00000000000000000000000000', path.join(folder, 'b')],
      /no project proj_0+\. See: .*projects list/,
    ],
    [['nonsense', path.join(folder, 'b')], /no project nonsense/],
    [[quickstart.project_id], /give a project and a folder/],
  ]
  for (const [given, says] of refusals)
    expect(await marquee(dataDir, 'export', ...given)).toMatchObject({
      code: 1,
      err: expect.stringMatching(says),
    })
  expect(readdirSync(folder)).toEqual(['letter.txt'])
  const whole = path.join(folder, 'whole')
  const empty = await marquee(dataDir, 'export', quickstart.project_id, whole)
  expect(empty.code, empty.err).toBe(0)
  expect(await marquee(dataDir, 'export', quickstart.project_id, whole)).toMatchObject({
    code: 1,
    err: expect.stringContaining('has a whole export already'),
  })
})
