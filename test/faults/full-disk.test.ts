import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import type { Answer } from '../support/api.ts'
import { watching } from '../support/events.ts'
import { local, uploaderOf } from '../support/media.ts'
import { discard, emptyDataDir, freshDataDir, startService } from '../support/service.ts'
import { clip, formsOf, made, videoUploaderOf } from '../support/video.ts'

const isRoot = process.getuid!() === 0
const UNLIMITED = { MARQUEE_LIMIT_KEY_PER_MINUTE: '1000000' }
const VTT = 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n'

/** A file system of this size at this place, until the test ends. */
function mountAt(folder: string, size: string): void {
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'marquee-test', folder])
}

/** Takes all room that is left, to the last byte; what it answers gives it back. */
function fillUp(folder: string): () => void {
  const file = path.join(folder, 'ballast')
  const handle = openSync(file, 'w')
  try {
    for (let bytes = 2 ** 20; bytes >= 1; )
      try {
        writeSync(handle, Buffer.alloc(bytes))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        bytes /= 2
      }
  } finally {
    closeSync(handle)
  }
  return () => rmSync(file)
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

/** The addresses that a playlist names. */
async function linesOf(playlist: string): Promise<string[]> {
  const lines = (await (await fetch(playlist)).text()).split('\n')
  return lines.filter((line) => line && !line.startsWith('#')).map((line) => `${new URL(line, playlist)}`)
}

async function asAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
  }
}

test.skipIf(!isRoot)(
  'whatever needs room on a full disk is 503, and works once there is room',
  {
    timeout: 180_000,
  },
  async () => {
    const dataDir = emptyDataDir()
    const database = freshDataDir()
    mountAt(dataDir, '256m')
    mkdirSync(path.join(dataDir, 'postgres'))
    execFileSync('mount', ['--bind', path.join(database, 'postgres'), path.join(dataDir, 'postgres')])
    // Nobody works in the background: what is missing is made for those who ask.
    const service = await startService({ dataDir, env: { ...UNLIMITED, MARQUEE_ROLES: 'api' } })
    onTestFinished(async () => {
      await service.stop()
      execFileSync('umount', [path.join(dataDir, 'postgres')])
      execFileSync('umount', [dataDir])
      for (const folder of [dataDir, database]) discard(folder)
    })
    const { api, quickstart, url } = service
    const images = uploaderOf(api)
    const videos = videoUploaderOf(api)
    const forms = formsOf({ url, seed: quickstart })
    const photo = await scene(640, 480).jpeg().toBuffer()
    const film = await clip(60)
    const sound = await made(['-f', 'lavfi', '-i', 'sine=frequency=330:duration=6'], 'mp3')

    const shown = (await images.upload(photo)).body
    const video = await videos.upload(film)
    const imageToComplete = await images.send(photo)
    const { video_id: videoToComplete } = await videos.send(film)
    const { presigned_url: awaited } = (await images.init()).body
    const segment = (await linesOf((await linesOf(`${local(video.file.url)}/master.m3u8`)).at(0)!)).at(-1)!

    const asks: Record<string, () => Promise<Answer>> = {
      'the bytes of an upload': async () => asAnswer(await images.put(awaited, new Uint8Array(photo))),
      'completing an image': () => images.complete(imageToComplete),
      'completing a video': () => videos.complete(videoToComplete),
      'a size of an image': async () => asAnswer(await fetch(local(`${shown.file.url}?w=111&format=webp`))),
      'a segment of a video': async () => asAnswer(await fetch(segment)),
      'a thumbnail at a time': () => api.get(`/videos/${video.id}/thumbnail?time=1&width=99`),
      'a subtitle': () =>
        forms.put(`/videos/${video.id}/subtitles/en`, ['file', { name: 'a.vtt', content: VTT }]),
      'an audio track': () =>
        forms.put(`/videos/${video.id}/audio-tracks/de`, ['file', { name: 'a.mp3', content: sound }]),
      'a new poster': () => forms.put(`/videos/${video.id}/thumbnail`, ['thumbnail', { content: photo }]),
      'an event': () => api.post('/analytics/v1/events', watching(video.id, 100)),
    }
    const giveBack = fillUp(dataDir)
    for (const [what, ask] of Object.entries(asks)) {
      const answer = await ask()
      expect({ what, status: answer.status }).toEqual({ what, status: 503 })
      expect(answer.body, what).toMatchObject({ code: 503, error: expect.any(String) })
      expect(answer.headers.get('retry-after'), what).toBeTruthy()
    }
    // What needs no room is answered as ever, and nothing half written is left.
    expect((await fetch(local(shown.file.url))).status).toBe(200)
    expect((await api.get(`/videos/${video.id}`)).status).toBe(200)
    expect(['temporary', 'work', 'cache'].flatMap((folder) => filesIn(path.join(dataDir, folder)))).toEqual(
      [],
    )

    giveBack()
    for (const [what, ask] of Object.entries(asks))
      expect({ what, status: (await ask()).status }).toEqual({ what, status: 200 })
  },
)

test.skipIf(!isRoot)(
  'a database on a full disk is 503, and keeps what it acknowledged',
  {
    timeout: 180_000,
  },
  async () => {
    const dataDir = emptyDataDir()
    const template = freshDataDir()
    mountAt(path.join(dataDir, 'postgres'), '200m')
    execFileSync('cp', ['-aT', path.join(template, 'postgres'), path.join(dataDir, 'postgres')])
    discard(template)
    const service = await startService({ dataDir, env: { ...UNLIMITED, MARQUEE_LOG_LEVEL: 'fatal' } })
    onTestFinished(async () => {
      await service.stop()
      execFileSync('umount', [path.join(dataDir, 'postgres')])
      discard(dataDir)
    })
    const { api } = service
    const acknowledged = new Set<string>()
    async function create(): Promise<number> {
      const { status, body, headers } = await api.post('/feeds', {
        name: 'feed',
        description: 'x'.repeat(2000),
      })
      if (status === 201) acknowledged.add(body.id)
      else expect({ status, retry: headers.get('retry-after') }).toEqual({ status: 503, retry: '1' })
      return status
    }
    const giveBack = fillUp(path.join(dataDir, 'postgres'))
    while ((await create()) === 201);
    for (let i = 0; i < 20; i++) await create()
    giveBack()
    await expect.poll(create, { timeout: 60_000 }).toBe(201)

    const listed = new Set<string>()
    for (let offset = 0; ; offset += 100) {
      const { data } = (await api.get(`/feeds?limit=100&offset=${offset}`)).body
      if (data.length === 0) break
      for (const { id } of data) listed.add(id)
    }
    expect([...acknowledged].filter((id) => !listed.has(id))).toEqual([])
  },
)
