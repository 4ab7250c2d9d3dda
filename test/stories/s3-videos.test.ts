import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { findS3Server, newBucket, s3Settings } from '../platform/objects-s3-server.ts'
import { apiOf, bearer } from '../support/api.ts'
import { checkHls } from '../support/hls/check.ts'
import { local } from '../support/media.ts'
import { inSeconds, newSigningKey } from '../support/playback.ts'
import { startPostgres } from '../support/postgres.ts'
import { addressesOf } from '../support/private-addresses.ts'
import { checkTokens, privateMedia, readAllTheTime, status, wrongTokens } from '../support/private-media.ts'
import { storeOf } from '../support/s3-service.ts'
import { discard, emptyDataDir, startService } from '../support/service.ts'
import { mediaIn } from '../support/stored-media.ts'
import { videoUploaderOf } from '../support/video.ts'
import { makeSource } from '../support/videos/sources.ts'

const server = findS3Server()
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe.skipIf('missing' in server)('videos in S3', () => {
  if ('missing' in server) return
  const closers: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const close of closers) await close()
    server.stop()
  })

  /** Two processes over one database and one bucket, both of which answer; the second also fills. Started once for all tests. */
  let started: ReturnType<typeof startTwo> | undefined
  const twoProcesses = () => {
    started ??= startTwo()
    return started
  }
  async function startTwo() {
    const on = server as Exclude<typeof server, { missing: string }>
    const bucket = newBucket()
    const postgres = await startPostgres()
    const env = {
      MARQUEE_DATABASE_URL: postgres.url,
      ...s3Settings(on, bucket),
      MARQUEE_LIMIT_DELIVERY_PER_MINUTE: '1000000',
    }
    const folders = [emptyDataDir(), emptyDataDir()]
    const api = await startService({ dataDir: folders[0]!, env: { ...env, MARQUEE_ROLES: 'api' } })
    const worker = await startService({ dataDir: folders[1]!, env })
    closers.push(async () => {
      await Promise.all([api.stop(), worker.stop()])
      await postgres.stop()
      folders.forEach(discard)
    })
    const store = await storeOf(on, bucket)
    return { api, worker, store }
  }

  test('a video: one process answers and makes what is asked for, another fills, each segment once', async () => {
    const { api, store } = await twoProcesses()
    const source = await makeSource('mp4-h264-long-gop')
    const film = await readFile(source)
    const video = await videoUploaderOf(api.api).upload(film, { file_size: film.length })
    const progress = () => api.api.get(`/videos/${video.id}/progress`)
    // From the last to the first: what the other process is about to make is asked for here.
    for (let number = 3; number >= 0; number--)
      for (const name of ['v180', 'a0'])
        expect((await fetch(`${local(video.file.url)}/${name}/${number}.m4s`)).status).toBe(200)
    while ((await progress()).body.status !== 'complete') await sleep(200)
    expect(await checkHls(local(video.file.url), { source, settled: true })).toEqual([])

    const stored = await mediaIn(store)
    expect(stored.filter(({ key }) => /\/\d+\.m4s$/.test(key))).toHaveLength(10)
    const bytes = stored.reduce((sum, { size }) => sum + size, 0)
    expect((await api.api.get('/project')).body.storage_used).toBe(bytes)

    // As one file, which is stored nowhere; and a part of it as a video of its own, which is.
    const whole = await bytesOf(await fetch(`${local(video.file.url)}/download.mp4`))
    const range = { range: `bytes=5000-${whole.length - 2}` }
    const part = await bytesOf(await fetch(`${local(video.file.url)}/download.mp4`, { headers: range }))
    expect(part.equals(whole.subarray(5000, -1))).toBe(true)
    expect((await fetch(`${local(video.file.url)}/preview.webp`)).status).toBe(200)
    expect((await api.api.get('/project')).body.storage_used).toBe(bytes)
    const cut = (await api.api.post(`/videos/${video.id}/clips`, { start: 3, end: 4 })).body
    expect((await api.api.delete(`/videos/${video.id}`)).status).toBe(204)
    expect((await fetch(`${local(cut.file.url)}/v180/0.m4s`)).status).toBe(200)
    expect((await api.api.delete(`/videos/${cut.id}`)).status).toBe(204)
    expect(await mediaIn(store)).toEqual([])
    expect((await api.api.get('/project')).body.storage_used).toBe(0)
  })

  test('what one process makes private is private in the other at once, every address of it', async () => {
    const { api: one, worker: two } = await twoProcesses()
    const { api } = one
    const { org_id, project_id, api_key, access_token } = one.quickstart
    const atTwo = (address: string) => address.replace(one.url, two.url)
    const { video, appKey } = await privateMedia({ ...one, seed: { org_id, project_id, api_key } })
    const path: string = `/videos/${video.id}`
    const record = (await api.get(path)).body
    const { body: subtitles } = await api.get(`${path}/subtitles`)
    const { body: tracks } = await api.get(`${path}/audio-tracks`)
    const right = await appKey.sign({ sub: video.id, exp: inSeconds(600) })
    const addresses = await addressesOf({ ...record, subtitles, tracks }, right)

    const owner = api.as(bearer(access_token))
    const { id: projectId } = (await owner.post(`/organizations/${org_id}/projects/v1`, { name: 'Other' }))
      .body
    const strangerKey = await newSigningKey(owner, org_id, projectId)
    const inOther = api.as({ ...bearer(access_token), 'x-project-id': projectId })
    const { token } = (await inOther.post('/media/playback-token', {})).body
    const foreign = { projectId, key: strangerKey, token }
    const wrong = await wrongTokens(video.id, { key: appKey, foreign, others: [record.poster.id] })
    await checkTokens([...addresses, ...addresses.map(atTwo)], right, wrong)

    // Whichever process is told, and however much is read of the other meanwhile.
    const watched = addresses.filter((address) => /file_\w+$|index\.m3u8$|0\.m4s$/.test(address))
    for (const [here, there] of [
      [watched, watched.map(atTwo)],
      [watched.map(atTwo), watched],
    ] as const) {
      const told = apiOf(new URL(here[0]!).origin, { 'x-api-key': api_key })
      await told.patch(path, { visibility: 'public' })
      const load = await readAllTheTime(() => [...there, ...here])
      expect((await told.patch(path, { visibility: 'private' })).status).toBe(200)
      load.closed()
      for (const address of there) expect((await status(address)).status, address).toBe(403)
      expect(await load.leaks()).toEqual([])
    }

    // And a key that is deleted at the one opens nothing at the other, which has just read what it signed.
    const signed = `${atTwo(addresses[0]!)}?token=${right}`
    expect((await status(signed)).status).toBe(200)
    expect((await api.delete(`/organizations/${org_id}/signing-keys/v1/${appKey.id}`)).status).toBe(204)
    expect(await status(signed)).toMatchObject({ status: 403, details: expect.stringMatching(/no more/) })
  })
})
