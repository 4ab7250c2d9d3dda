import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { key } from '../support/api.ts'
import { checkHls } from '../support/hls/check.ts'
import { composeForTest } from '../support/in-process.ts'
import { bytesOnDisk, local } from '../support/media.ts'
import { aboutOneProcess } from '../support/scale/skip-here.ts'
import { clip, videoUploaderOf } from '../support/video.ts'
import { ffmpeg } from '../support/videos/programs.ts'
import { makeSource } from '../support/videos/sources.ts'

let service: Awaited<ReturnType<typeof composeForTest>>
const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-sources-'))
beforeEach(async () => {
  service = await composeForTest()
})
afterAll(() => rmSync(folder, { recursive: true }))

const get = (address: string, headers: Record<string, string> = {}) =>
  fetch(address.startsWith('/') ? service.url + address : local(address), {
    headers: { ...key(service.seed.api_key), ...headers },
  })

/** Red for a second, then green, then blue. */
const colours = () =>
  clip(3, [
    '-vf',
    "geq=r='255*lt(T,1)':g='255*between(T,1,1.999)':b='255*gte(T,2)',format=yuv420p",
    ...['-g', '10'],
  ])

async function colourOf(answer: Response): Promise<string> {
  const { channels } = await sharp(Buffer.from(await answer.arrayBuffer())).stats()
  const means = channels.slice(0, 3).map((channel) => channel.mean)
  return ['red', 'green', 'blue'][means.indexOf(Math.max(...means))]!
}

test('a thumbnail is the poster, or the picture that is on at a time', async () => {
  const { id, poster } = await videoUploaderOf(service.api).upload(await colours())
  const still = await get(`/videos/${id}/thumbnail`, { accept: 'image/avif' })
  expect(still.headers.get('content-type')).toBe('image/avif')
  const head = await fetch(`${service.url}/videos/${id}/thumbnail`, {
    method: 'HEAD',
    headers: { ...key(service.seed.api_key), accept: 'image/avif' },
  })
  expect(head.headers.get('content-length')).toBe(still.headers.get('content-length'))
  expect(still.headers.get('cache-control')).toBe('private, no-cache')
  const kept = await fetch(local(poster.file.url))
  expect(Buffer.from(await still.arrayBuffer())).toEqual(Buffer.from(await kept.arrayBuffer()))

  expect(await colourOf(await get(`/videos/${id}/thumbnail?time=0&format=png`))).toBe('red')
  expect(await colourOf(await get(`/videos/${id}/thumbnail?time=1.5&format=jpg`))).toBe('green')
  expect(await colourOf(await get(`/videos/${id}/thumbnail?time=0.999&format=png`))).toBe('red')
  const last = await get(`/videos/${id}/thumbnail?time=2.99&width=80&format=webp`)
  expect(last.headers.get('content-type')).toBe('image/webp')
  expect(await colourOf(last.clone())).toBe('blue')
  expect(await sharp(Buffer.from(await last.arrayBuffer())).metadata()).toMatchObject({
    width: 80,
    height: 45,
  })
  const again = await get(`/videos/${id}/thumbnail?time=2.99&width=80&format=webp`, {
    'if-none-match': last.headers.get('etag')!,
  })
  expect(again.status).toBe(304)
  expect(again.headers.get('cache-control')).toBe('private, max-age=3600')

  expect((await service.api.get(`/videos/${id}/thumbnail?time=4`)).body).toMatchObject({ code: 400 })
  expect((await service.api.get(`/videos/${id}/thumbnail?time=-1`)).status).toBe(400)
  expect((await service.api.get(`/videos/${id}/thumbnail?format=gif`)).status).toBe(400)
  expect((await service.api.get('/videos/vid_00000000000000000000000000/thumbnail')).status).toBe(404)
})

test('a storyboard has the right picture for each time', async () => {
  const { id } = await videoUploaderOf(service.api).upload(await colours())
  const answer = await get(`/videos/${id}/storyboard.vtt`)
  expect(answer.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
  const cues = [...(await answer.text()).matchAll(/^(\S+) --> (\S+)\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)$/gm)]
  expect(cues.map(([, start, end]) => [start, end])).toEqual([
    ['00:00:00.000', '00:00:01.000'],
    ['00:00:01.000', '00:00:02.000'],
    ['00:00:02.000', '00:00:03.000'],
  ])
  const sheet = await get(cues[0]![3]!)
  expect(sheet.headers.get('content-type')).toBe('image/jpeg')
  const picture = Buffer.from(await sheet.arrayBuffer())
  const tiles = cues.map(async ([, , , , left, top, width, height]) => {
    const place = { left: Number(left), top: Number(top), width: Number(width), height: Number(height) }
    return colourOf(new Response(new Uint8Array(await sharp(picture).extract(place).png().toBuffer())))
  })
  expect(await Promise.all(tiles)).toEqual(['red', 'green', 'blue'])
})

test('progress is told once, or again and again until all is made', async () => {
  const { id } = await videoUploaderOf(service.api).upload(
    await readFile(await makeSource('mp4-h264-long-gop')),
  )
  const { body } = await service.api.get(`/videos/${id}/progress`)
  expect(body).toMatchObject({ video_id: id, status: 'processing' })
  expect(body.renditions).toEqual([
    { name: 'v180', kind: 'video', segments: 5, segments_made: expect.any(Number), width: 320, height: 180 },
    { name: 'a0', kind: 'audio', segments: 5, segments_made: expect.any(Number) },
  ])
  const events = await get(`/videos/${id}/progress`, { accept: 'text/event-stream' })
  expect(events.headers.get('content-type')).toBe('text/event-stream')
  const told = [...(await events.text()).matchAll(/^event: progress\ndata: (.+)\n\n/gm)].map(([, data]) =>
    JSON.parse(data!),
  )
  expect(told.at(-1)).toMatchObject({ status: 'complete', percent: 100 })
  for (const [i, one] of told.entries())
    if (i > 0) expect(one.percent).toBeGreaterThanOrEqual(told[i - 1].percent)
})

test('renditions count on the project, and a deleted video leaves nothing', async () => {
  const { api, dataDir } = service
  const used = async () => (await api.get('/project')).body.storage_used
  const before = await used()
  const { id, file } = await videoUploaderOf(api).upload(await clip(5))
  await (await get(`/videos/${id}/progress`, { accept: 'text/event-stream' })).text()
  await expect.poll(async () => (await used()) - bytesOnDisk(dataDir)).toBe(0)
  expect((await api.delete(`/videos/${id}`)).status).toBe(204)
  expect(await used()).toBe(before)
  await expect.poll(() => bytesOnDisk(dataDir)).toBe(before)
  for (const below of ['', '/master.m3u8', '/a0/index.m3u8', '/a0/0.m4s', '/storyboard.vtt'])
    expect((await get(file.url + below)).status, below).toBe(404)
})

test('what is not there is not found, however it is asked for', async () => {
  const { file } = await videoUploaderOf(service.api).upload(await clip())
  for (const below of [
    '/v90/1.m4s',
    '/v90/-1.m4s',
    '/v90/00.m4s',
    '/v1080/index.m3u8',
    '/a1/index.m3u8',
    '/original',
    '/hls/v90/0.m4s',
    '/subtitles/sub_00000000000000000000000000.vtt',
    '/storyboard/1.jpg',
    '/..%2f..%2foriginal',
  ])
    expect((await get(file.url + below)).status, below).toBe(404)
})

test('a segment is made once, however many ask for it at the same time', async () => {
  aboutOneProcess('each process counts what it makes')
  service = await composeForTest({ fresh: true })
  const made = async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text()
    return Number(/^marquee_segments_made_total (\d+)/m.exec(text)![1])
  }
  const parts = [
    'v180/3.m4s',
    'v180/init.mp4',
    'a0/3.m4s',
    'v180/1.m4s',
    'v180/2.m4s',
    'a0/0.m4s',
    'v180/0.m4s',
  ]
  const { id, file } = await videoUploaderOf(service.api).upload(
    await readFile(await makeSource('mp4-h264-long-gop')),
  )
  const players = Array.from({ length: 10 }, () =>
    Promise.all(parts.map(async (part) => (await get(`${file.url}/${part}`)).status)),
  )
  for (const statuses of await Promise.all(players)) expect(new Set(statuses)).toEqual(new Set([200]))
  await (await get(`/videos/${id}/progress`, { accept: 'text/event-stream' })).text()
  expect(await made()).toBe(10)
})

test('whoever skips far ahead hears sound from there, and it joins with what was made before', async () => {
  const source = path.join(folder, 'talk.mp4')
  // Slow pictures and much to hear: a chirp that is never the same twice.
  const seconds = 160
  await ffmpeg([
    ...['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=size=64x36:rate=2:duration=${seconds}`, '-f', 'lavfi'],
    ...['-i', `aevalsrc=0.4*sin(2*PI*(200+t)*t)+0.1*sin(700*t*t):s=48000:d=${seconds}`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', source],
  ])
  const { id, file } = await videoUploaderOf(service.api).upload(await readFile(source))
  for (const number of [39, 20, 35, 0, 21])
    expect((await get(`${file.url}/a0/${number}.m4s`)).status).toBe(200)
  await (await get(`/videos/${id}/progress`, { accept: 'text/event-stream' })).text()
  expect(await checkHls(local(file.url), { source, settled: true })).toEqual([])
})
