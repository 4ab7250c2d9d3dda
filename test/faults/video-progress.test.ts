import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { FileId, ProjectId } from '../../server/base/ids.ts'
import { detectSandbox } from '../../server/media/sandbox.ts'
import { handle } from '../../server/platform/jobs/port.ts'
import { postgresJobs } from '../../server/platform/jobs/postgres.ts'
import { openDiskStore } from '../../server/platform/objects/disk.ts'
import { FILL, fillVideo } from '../../server/transcoding/fill-video.ts'
import { openTranscoder } from '../../server/transcoding/transcoder.ts'
import { tracksOfFile } from '../../server/videos/tracks/store.ts'
import { film, progressOf, whenSettled } from '../support/films.ts'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { clip, formsOf, made, videoUploaderOf } from '../support/video.ts'

const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=330:duration=2:sample_rate=48000']

test('a track that comes when the job has looked for the last time is made all the same', async () => {
  const service = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const { api, sql, dataDir } = service
  const video = await videoUploaderOf(api).upload(await clip(2))
  const track = await made([...TONE, '-c:a', 'libmp3lame'], 'mp3')

  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-sources-'))
  const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe', sandbox: detectSandbox(), silenceSeconds: 120 }
  const player = await openTranscoder(
    { sql, objects: await openDiskStore(dataDir), tools, tracksOf: (fileId) => tracksOfFile(sql, fileId) },
    folder,
  )
  const jobs = postgresJobs(sql, { queues: [FILL], onError: () => {} })
  onTestFinished(async () => {
    const closed = jobs.close()
    await player.close()
    await closed
    rmSync(folder, { recursive: true, force: true })
  })
  let looks = 0
  const presentations = {
    ...player.presentations,
    async find(projectId: ProjectId, fileId: FileId) {
      const found = await player.presentations.find(projectId, fileId)
      // As late as can be: what this run makes is decided.
      if (looks++ === 0) {
        const added = await formsOf(service).put(`/videos/${video.id}/audio-tracks/fr`, [
          'file',
          { content: track, name: 'fr.mp3' },
        ])
        expect(added.status).toBe(200)
      }
      return found
    },
  }
  jobs.work([
    handle(
      FILL,
      fillVideo({
        sql,
        maker: player.maker,
        presentations,
        onFailed: async () => {},
        onRetry: async () => {},
        onFilled: async () => {},
      }),
    ),
  ])
  const tracks = ({ renditions }: Awaited<ReturnType<typeof progressOf>>) =>
    renditions.filter(({ name }) => name.startsWith('trk_'))
  while (tracks(await progressOf(api, video.id)).length === 0) await sleep(20)
  const progress = await whenSettled(api, video.id)
  expect(progress.status).toBe('complete')
  expect(tracks(progress)).toHaveLength(1)
  for (const { segments, segments_made } of progress.renditions) expect(segments_made).toBe(segments)
  while ((await sql`select from jobs where queue = ${FILL.name}`).length > 0) await sleep(20)
})

test('a video is complete with its last segment, though no worker has come to it yet', async () => {
  const { api, sql } = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const video = await videoUploaderOf(api).upload(await film(12))
  const url = local(video.file.url)
  for (const { name, segments } of (await progressOf(api, video.id)).renditions)
    for (let number = 0; number < segments; number++)
      expect((await fetch(`${url}/${name}/${number}.m4s`)).status, `${name} ${number}`).toBe(200)
  expect(await whenSettled(api, video.id)).toMatchObject({ status: 'complete', percent: 100 })
  expect(await sql`select attempts from jobs`).toEqual([{ attempts: 0 }])
})

test('what is not complete is not all there', async () => {
  const { api, sql } = await composeForTest()
  const video = await videoUploaderOf(api).upload(await clip(2))
  expect(await whenSettled(api, video.id)).toMatchObject({ percent: 100 })
  while ((await sql`select from jobs`).length > 0) await sleep(20)
  // As a crash leaves it between the last segment and the last step.
  await sql`update playback_plans set rates = '{}'`
  expect(await progressOf(api, video.id)).toMatchObject({ status: 'processing', percent: 99.9 })
})
