import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { processesWith, standIn } from '../support/media-programs.ts'
import { aboutOneProcess } from '../support/scale/skip-here.ts'
import { formsOf, made, videoUploaderOf } from '../support/video.ts'
import { ffmpeg } from '../support/videos/programs.ts'

const SECONDS = 12
const BITS = 9
/** Each picture has its number in it: a black or white column for each bit. */
const numbered = [
  ...['-f', 'lavfi', '-i', `color=black:size=${8 * BITS}x48:rate=25:duration=${SECONDS}`],
  ...['-f', 'lavfi', '-i', `sine=frequency=440:duration=${SECONDS}`],
  ...['-vf', "geq=lum='if(bitand(N,pow(2,floor(X/8))),235,16)':cb=128:cr=128,format=yuv420p"],
]
const asMp4 = () =>
  made([...numbered, '-c:v', 'libx264', '-g', '75', '-bf', '3', '-crf', '10', '-c:a', 'aac'], 'mp4')
const asWebm = () =>
  made([...numbered, '-c:v', 'libvpx', '-g', '75', '-b:v', '2M', '-c:a', 'libopus'], 'webm')
const asAvi = () => made([...numbered, '-c:v', 'mpeg4', '-q:v', '2', '-g', '75', '-c:a', 'mp3'], 'avi')

/** The numbers of the pictures that a video shows, or of those that begin within a part of it. */
async function picturesOf(url: string, part = ''): Promise<number[]> {
  const { stdout } = await ffmpeg([
    ...['-v', 'error', '-copyts', '-i', `${local(url)}/v48/index.m3u8`, '-fps_mode', 'passthrough'],
    ...['-vf', `${part}scale=${BITS}:1:flags=area`, '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1'],
  ])
  const bits = [...stdout].map((brightness) => (brightness > 125 ? 1 : 0))
  return Array.from({ length: bits.length / BITS }, (_, i) =>
    bits.slice(BITS * i, BITS * (i + 1)).reduce<number>((sum, bit, place) => sum + bit * 2 ** place, 0),
  )
}

const between = (first: number, end: number) => Array.from({ length: end - first }, (_, i) => first + i)

test('a clip has exactly the pictures of its part, from any kind of file', async () => {
  const { api } = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  for (const [name, content] of [
    ['a.mp4', await asMp4()],
    ['a.webm', await asWebm()],
    ['a.avi', await asAvi()],
  ] as const) {
    const source = await videoUploaderOf(api).upload(content, { file_name: name })
    const expected = await picturesOf(source.file.url, 'trim=start=5.199:end=7.61,')
    // An AVI does not say when its pictures are shown.
    if (name !== 'a.avi') expect(expected, name).toEqual(between(130, 191))
    // From the middle of a group of pictures into the middle of another, by the time of a picture and one in between.
    const answer = await api.post(`/videos/${source.id}/clips`, { start: 5.2, end: 7.61, title: 'The part' })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    const clip = answer.body
    expect(clip).toMatchObject({ width: 8 * BITS, height: 48, file: { name: 'The part', status: 'ready' } })
    expect(clip.duration, name).toBeCloseTo(2.41, 2)
    const single = (await api.post(`/videos/${source.id}/clips`, { start: 0, end: 0.04 })).body
    expect(single.file.name).toBe(name)
    await api.delete(`/videos/${source.id}`)
    expect((await fetch(local(source.file.url))).status).toBe(404)
    // Made now, of what they have themselves: nothing was before.
    expect(await picturesOf(clip.file.url), name).toEqual(expected)
    expect(await picturesOf(single.file.url), name).toEqual([0])
    if (name !== 'a.mp4') continue
    // It keeps its part, not the whole.
    expect(clip.file.size).toBeLessThan(content.length * 0.8)
    const again = (await api.post(`/videos/${clip.id}/clips`, { start: 1, end: 2 })).body
    expect(await picturesOf(again.file.url)).toEqual(between(155, 180))
  }
})

test('a clip has the subtitles and chapters of its part, and refuses what is no part', async () => {
  const service = await composeForTest()
  const { api } = service
  const source = await videoUploaderOf(api).upload(await asMp4())
  const vtt = `WEBVTT\n\n00:01.000 --> 00:02.000\nGone\n\n00:04.500 --> 00:05.500\nFirst\n\n00:06.000 --> 00:09.000\nLast\n`
  await formsOf(service).put(`/videos/${source.id}/subtitles/fr`, ['file', { content: vtt }])
  const chapters = [0, 3, 6].map((start_time_sec) => ({ title: `From ${start_time_sec}`, start_time_sec }))
  await api.put(`/videos/${source.id}/chapters`, { chapters })
  const clips = `/videos/${source.id}/clips`
  const clip = (await api.post(clips, { start: 5, end: 8 })).body
  expect(clip.chapters ?? []).toEqual([
    { title: 'From 3', start_time_sec: 0, end_time_sec: 1, duration_label: '00:01' },
    { title: 'From 6', start_time_sec: 1, end_time_sec: 3, duration_label: '00:02' },
  ])
  const { data } = (await api.get(`/videos/${clip.id}/subtitles`)).body
  expect(data).toMatchObject([{ language_code: 'fr' }])
  expect(await (await fetch(local(data[0]!.url))).text()).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:00.500\nFirst\n\n00:00:01.000 --> 00:00:03.000\nLast\n',
  )
  const refused = [
    { start: 2, end: 2 },
    { start: 3, end: 2 },
    { start: 2, end: 13 },
    { start: 13, end: 14 },
    { start: -1, end: 2 },
    { start: 1 },
    { start: 1, end: 2, title: '' },
  ]
  for (const wrong of refused) expect((await api.post(clips, wrong)).status, JSON.stringify(wrong)).toBe(400)
  expect((await api.post('/videos/vid_00000000000000000000000000/clips', { start: 0, end: 1 })).status).toBe(
    404,
  )
  expect((await api.get('/videos')).body.pagination.total).toBe(2)
})

test('a clip that cannot be made leaves nothing behind, and one that is being made is no upload of a client', async () => {
  const { api, sql, dataDir } = await composeForTest()
  const source = await videoUploaderOf(api).upload(await asMp4())
  const clips: string = `/videos/${source.id}/clips`
  const begun = async () => (await sql`select from files where status in ('uploading', 'processing')`).length
  const listed = async () => (await api.get('/uploads')).body.pagination.total
  const unlock = Promise.withResolvers<void>()
  // Nothing becomes ready as long as nobody can have it filled up.
  const locked = sql.begin(async (tx) => {
    await tx`lock table jobs in share mode`
    await unlock.promise
  })
  const making = api.post(clips, { start: 1, end: 2 })
  await expect.poll(begun).toBeGreaterThan(0)
  expect(await listed()).toBe(0)
  unlock.resolve()
  await locked
  expect((await making).status).toBe(201)

  const objects = path.join(dataDir, 'objects')
  for (const name of readdirSync(objects, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith(`${source.file.id}/original`))
      writeFileSync(path.join(objects, name), 'damaged'.repeat(99))
  expect((await api.post(clips, { start: 1, end: 2 })).status).toBe(400)
  expect(await begun()).toBe(0)

  // One whose maker was killed goes without a word, unlike an upload that a client has begun.
  const [killed, late] = await Promise.all([api, api].map(() => videoUploaderOf(api).init()))
  await sql`update videos set clip_of = ${source.id} where id = ${killed!.body.video_id}`
  expect((await api.get('/uploads')).body.data).toMatchObject([{ id: late!.body.video_id }])
  const { next_cursor: after } = (await api.get('/webhooks/v1/messages')).body
  await sql`update files set upload_expires = now() - interval '1 hour' where status = 'uploading'`
  await sql`delete from files where status = 'uploading'`
  const told = async () => {
    const { data } = (await api.get(`/webhooks/v1/messages?after=${after}`)).body
    return data.filter(({ type }) => type === 'upload.expired').map(({ data: { video_id } }) => video_id)
  }
  await expect.poll(told).toEqual([late!.body.video_id])
})

test('of many clips at once, only some are copied at a time', async () => {
  aboutOneProcess('each process copies some at a time')
  // Long enough to be seen, by a name of its own.
  const nap = 'sleep 1.0271'
  const { api } = await composeForTest({ env: { MARQUEE_FFMPEG: standIn('-max_interleave_delta', nap) } })
  const source = await videoUploaderOf(api).upload(await asMp4())
  let most = 0
  const watching = setInterval(() => {
    most = Math.max(most, processesWith(nap).length)
  }, 50)
  onTestFinished(() => clearInterval(watching))
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => api.post(`/videos/${source.id}/clips`, { start: 1, end: 2 })),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201))
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(2)
})
