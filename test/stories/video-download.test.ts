import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { standIn } from '../support/media-programs.ts'
import { bytesBesideSegments, clip, made, videoUploaderOf } from '../support/video.ts'
import { ffmpeg, ffprobe } from '../support/videos/programs.ts'

/** Two renditions: 480 lines that are copied, and 360 that are encoded; B-frames, several key pictures. */
const film = (seconds = 9) =>
  made(
    [
      ...['-f', 'lavfi', '-i', `testsrc2=size=640x480:rate=25:duration=${seconds}`],
      ...['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-g', '50', '-bf', '2', '-pix_fmt', 'yuv420p'],
      ...['-c:a', 'aac', '-metadata:s:a:0', 'language=fra', '-shortest'],
    ],
    'mp4',
  )

async function downloadable(name: string, content: Buffer, service: InProcess) {
  const video = await videoUploaderOf(service.api).upload(content, { file_name: name })
  return { video, url: `${local(video.file.url)}/download.mp4` }
}

/** A file of these bytes, for programs that read one. */
function fileOf(content: Buffer): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-download-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'download.mp4')
  writeFileSync(file, content)
  return file
}

/** What is seen or heard, decoded, with its times. */
async function decoded(input: string, stream: 'v' | 'a'): Promise<string[]> {
  const { stdout } = await ffmpeg([
    ...['-v', 'error', '-xerror', '-i', input, '-map', `0:${stream}:0`],
    ...['-fps_mode', 'passthrough', '-f', 'framemd5', 'pipe:1'],
  ])
  const lines = stdout.toString().split('\n')
  return lines.filter((line) => /^\d/.test(line)).map((line) => line.replaceAll(' ', ''))
}

/** As programs that download do it: on a busy machine it may take longer to make than a request waits. */
async function patiently(url: string): Promise<Response> {
  for (;;) {
    const response = await fetch(url)
    if (response.status !== 503) return response
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
  }
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('a video is one file, whose ranges are parts of the whole', async () => {
  const service = await composeForTest()
  const { video, url } = await downloadable('Föhn "am" See.mov', await film(), service)
  const before = await bytesBesideSegments(service.sql)
  // At once: nothing of it may be made yet.
  const response = await patiently(url)
  expect(response.status).toBe(200)
  const whole = await bytesOf(response)
  const { headers } = response
  expect(headers.get('content-type')).toBe('video/mp4')
  expect(headers.get('content-length')).toBe(String(whole.length))
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="Fohn am See.mp4"; filename*=UTF-8''F%C3%B6hn%20am%20See.mp4`,
  )
  expect(headers.get('cache-control')).toBe('public, max-age=86400')
  // What tells of it comes first, so that it plays while it is read.
  expect(whole.indexOf('moov')).toBeLessThan(whole.indexOf('mdat'))
  expect(whole.includes('moof')).toBe(false)

  const kept = fileOf(whole)
  const about = JSON.parse(await ffprobe(['-of', 'json', '-show_streams', '-show_format', kept]))
  expect(
    about.streams.map((one: Record<'codec_name' | 'nb_frames', string>) => [one.codec_name, one.nb_frames]),
  ).toEqual([
    ['h264', '225'],
    ['aac', expect.anything()],
  ])
  expect(Number(about.format.duration)).toBeCloseTo(9, 1)
  for (const stream of ['v', 'a'] as const) {
    const rendition = stream === 'v' ? 'v480' : 'a0'
    const played = await decoded(`${local(video.file.url)}/${rendition}/index.m3u8`, stream)
    expect(await decoded(kept, stream), rendition).toEqual(played)
  }

  const etag = headers.get('etag')!
  const head = await fetch(url, { method: 'HEAD' })
  expect([head.headers.get('content-length'), head.headers.get('etag')]).toEqual([String(whole.length), etag])
  const places = [0, 1, 31, whole.indexOf('mdat'), whole.length >> 1, whole.length - 1]
  for (const start of places)
    for (const length of [1, 4096, 300_000]) {
      const end = Math.min(start + length, whole.length) - 1
      const part = await fetch(url, { headers: { range: `bytes=${start}-${end}`, 'if-range': etag } })
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes ${start}-${end}/${whole.length}`,
      ])
      expect((await bytesOf(part)).equals(whole.subarray(start, end + 1)), `${start}-${end}`).toBe(true)
    }
  const last = await fetch(url, { headers: { range: 'bytes=-1000' } })
  expect((await bytesOf(last)).equals(whole.subarray(-1000))).toBe(true)
  const other = await fetch(url, { headers: { range: 'bytes=0-9', 'if-range': '"other"' } })
  expect([other.status, (await bytesOf(other)).length]).toEqual([200, whole.length])
  expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
  expect((await fetch(url, { headers: { range: `bytes=${whole.length}-` } })).status).toBe(416)
  // It is put together each time, and stored nowhere.
  expect(await bytesBesideSegments(service.sql)).toBe(before)

  await service.api.patch(`/videos/${video.id}`, { name: 'calm.mp4' })
  const renamed = await fetch(url, { method: 'HEAD', headers: { 'if-none-match': etag } })
  expect(renamed.headers.get('content-disposition')).toContain('filename="calm.mp4"')
})

test('a height is that of the largest rendition that is no higher', async () => {
  const service = await composeForTest()
  const { video, url } = await downloadable('film.mp4', await film(3), service)
  const heightOf = async (address: string) => {
    const content = await bytesOf(await patiently(address))
    const size = ['-select_streams', 'v', '-show_entries', 'stream=height', '-of', 'csv=p=0']
    return Number(await ffprobe([...size, fileOf(content)]))
  }
  expect(await heightOf(url)).toBe(480)
  expect(await heightOf(`${url}?height=2160`)).toBe(480)
  expect(await heightOf(`${url}?height=479`)).toBe(360)
  expect(await heightOf(`${url}?height=100`)).toBe(360)
  for (const height of ['0', '-1', 'tall', '99999'])
    expect((await fetch(`${url}?height=${height}`)).status, height).toBe(400)
  await service.api.delete(`/videos/${video.id}`)
  expect((await fetch(url)).status).toBe(404)
})

test('a silent video is a file without sound', async () => {
  const service = await composeForTest()
  const silent = await made(['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=25:d=2', '-c:v', 'libvpx'], 'webm')
  const { url } = await downloadable('silent.webm', silent, service)
  const kept = fileOf(await bytesOf(await patiently(url)))
  expect((await ffprobe(['-show_entries', 'stream=codec_type', '-of', 'csv=p=0', kept])).trim()).toBe('video')
  expect(await decoded(kept, 'v')).toHaveLength(50)
})

test('whoever asks for what takes long is told how far it is, and when to come back', async () => {
  const slow = standIn('-force_key_frames', 'sleep 3; exec ffmpeg "$@"')
  const env = { MARQUEE_FFMPEG: slow, MARQUEE_DOWNLOAD_PATIENCE: '1' }
  const service = await composeForTest({ env })
  const { url } = await downloadable('film.mp4', await film(), service)
  const told: number[] = []
  let response = await fetch(`${url}?height=360`)
  // Nobody waits any more, and it is made all the same.
  for (; response.status === 503; response = await fetch(`${url}?height=360`)) {
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { code, details } = (await response.json()) as { code: number; details: string }
    expect(code).toBe(503)
    told.push(Number(/^it is being made, and (\d+) percent of it is there; ask again$/.exec(details)?.[1]))
  }
  expect(told[0]).toBe(0)
  expect(told).toEqual(told.toSorted((a, b) => a - b))
  expect(told.every((percent) => percent < 100)).toBe(true)
  expect(response.status).toBe(200)
  expect(await decoded(fileOf(await bytesOf(response)), 'v')).toHaveLength(225)
})

test('the sound by itself is as long as the video, decoded', async () => {
  const { api } = await composeForTest()
  const video = await videoUploaderOf(api).upload(await clip(3))
  const rate = 8000
  const { stdout } = await ffmpeg([
    ...['-v', 'error', '-xerror', '-i', `${local(video.file.url)}/audio.m4a`],
    ...['-ac', '1', '-ar', String(rate), '-f', 's16le', 'pipe:1'],
  ])
  expect(stdout.length / 2 / rate).toBeCloseTo(video.duration, 1)

  const sound = `${local(video.file.url)}/audio.m4a`
  const response = await fetch(sound)
  const whole = await bytesOf(response)
  expect(response.headers.get('content-length')).toBe(String(whole.length))
  for (const [range, part] of [
    ['bytes=100-5099', whole.subarray(100, 5100)],
    [`bytes=${whole.length - 50}-`, whole.subarray(-50)],
    ['bytes=-7', whole.subarray(-7)],
  ] as const) {
    const answer = await fetch(sound, { headers: { range, 'if-range': response.headers.get('etag')! } })
    expect([answer.status, (await bytesOf(answer)).equals(part)], range).toEqual([206, true])
  }
})

test('what a camera wrote beside the pictures is in nothing that is served', async () => {
  const service = await composeForTest()
  const place = '52.5200N/13.4050E'
  // As AVCHD has it; and what such files say of themselves elsewhere.
  const content = await made(
    [
      ...['-f', 'lavfi', '-i', 'testsrc2=size=640x480:rate=25:duration=9'],
      ...['-f', 'lavfi', '-i', 'sine=duration=9', '-c:a', 'aac', '-metadata:s:a:0', `handler_name=${place}`],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-bf', '2', '-pix_fmt', 'yuv420p'],
      ...['-bsf:v', `h264_metadata=sei_user_data=17ee8c60-f84d-11d9-8cd6-0800200c9a66+${place}`],
      ...['-metadata', `location=${place}`, '-metadata', `comment=${place}`],
      ...['-metadata:s:v:0', `handler_name=${place}`],
    ],
    'mp4',
  )
  expect(content.toString('latin1').split(place).length).toBeGreaterThan(5)
  const { video, url } = await downloadable('with a place.mp4', content, service)
  const whole = await bytesOf(await patiently(url))
  // Copied: the same pictures, picture by picture.
  const pictures = async (file: Buffer) =>
    (await decoded(fileOf(file), 'v')).map((line) => line.split(',').at(-1))
  expect(await pictures(whole)).toEqual(await pictures(content))
  const folder = `${local(video.file.url)}/v480`
  const playlist = await (await fetch(`${folder}/index.m3u8`)).text()
  const names = ['init.mp4', ...playlist.split('\n').filter((line) => line.endsWith('.m4s'))]
  expect(names.length).toBeGreaterThan(2)
  const parts = await Promise.all(names.map(async (name) => bytesOf(await fetch(`${folder}/${name}`))))
  // By itself, and of what is made of it: a part of it is a video of its own.
  const part = await service.api.post(`/videos/${video.id as string}/clips`, { start: 1, end: 4 })
  expect(part.status, JSON.stringify(part.body)).toBe(201)
  expect(JSON.stringify(part.body)).not.toContain('52.52')
  const films = [video, part.body].map(({ file }) => local(file.url))
  const others = films.flatMap((film) =>
    ['download.mp4', 'audio.m4a', 'preview.webp', 'preview.avif', 'a0/init.mp4', 'a0/0.m4s'].map(
      async (name) => {
        const response = await patiently(`${film}/${name}`)
        expect(response.status, name).toBe(200)
        return bytesOf(response)
      },
    ),
  )
  const posters = [video, part.body].map(async ({ poster }) => bytesOf(await fetch(local(poster.file.url))))
  for (const served of await Promise.all([...others, ...posters])) expect(served.includes(place)).toBe(false)
  for (const served of [whole, ...parts]) {
    expect(served.includes(place)).toBe(false)
    // An encoder says by what it was made in the same way.
    expect(served.includes('x264')).toBe(false)
  }
})
