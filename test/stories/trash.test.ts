import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ERASE_EVENTS } from '../../server/analytics/events/erase-events.ts'
import { commands } from '../../server/cli/commands.ts'
import { loadConfig } from '../../server/config/config.ts'
import { storageLimitsOf } from '../../server/config/plans.ts'
import { REMOVE_FEED } from '../../server/feeds/remove-feed.ts'
import { OPTIMISE } from '../../server/images/optimise-image.ts'
import { postgresJobs } from '../../server/platform/jobs/postgres.ts'
import { FILL } from '../../server/transcoding/fill-video.ts'
import { type Api, key } from '../support/api.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { marquee } from '../support/marquee.ts'
import { bytesOnDisk, objectsOnDisk, uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { discard, freshDataDir, startService } from '../support/service.ts'
import { clip, formsOf, made, videoUploaderOf } from '../support/video.ts'
import { addTenant } from '../support/world.ts'

/** As it is where nothing is set; other tests have none. */
const DAY = { MARQUEE_TRASH_LIFETIME: '86400' }
const VTT = 'WEBVTT\n\n00:00.500 --> 00:01.000\nBonjour\n'
const tone = () => made(['-f', 'lavfi', '-i', 'sine=frequency=330:duration=1'], 'mp3')
const used = async (api: Api) => (await api.get('/project')).body.storage_used as number

/** Until all of a video is made. */
async function settled(api: Api, id: string) {
  while ((await api.get(`/videos/${id}/progress`)).body.status === 'processing') await sleep(50)
}

/** The command line's own commands, on the database of a service in this process. */
function operatorOf({ sql }: InProcess, env: Record<string, string> = {}) {
  const config = loadConfig({ MARQUEE_DATA_DIR: '/nowhere', ...env })
  return async (name: string, values: Record<string, string> = {}) => {
    const jobs = postgresJobs(sql, { queues: [FILL, OPTIMISE, REMOVE_FEED, ERASE_EVENTS], onError: () => {} })
    const trash = { seconds: config.trashLifetimeSeconds, storageLimits: storageLimitsOf(config), jobs }
    const command = commands.find((one) => one.name === `trash ${name}`)!
    const option = (one: string) => values[one]!
    return command.run({
      sql,
      trash,
      option,
      optional: option,
      baseUrl: 'http://localhost:8080',
      billing: undefined as never,
      jobs: undefined as never,
    })
  }
}

test('media, a feed and a project come back as they were', { timeout: 300_000 }, async () => {
  const dataDir = freshDataDir()
  let service = await startService({ dataDir, env: DAY })
  const operator = async (...args: string[]) => {
    const { code, err, json } = await marquee(dataDir, 'trash', ...args, '--json')
    if (code !== 0) throw new Error(err)
    return json()
  }
  const seed = service.quickstart
  const forms = formsOf({ url: service.url, seed })
  const image = (await uploaderOf(service.api).upload(await smallJpeg(), 'still.jpg')).body
  const other = (await uploaderOf(service.api).upload(await smallJpeg())).body
  const video = await videoUploaderOf(service.api).upload(await clip(3), { file_name: 'film.mp4' })
  const base = `/videos/${video.id}`
  await forms.put(`${base}/subtitles/fr`, ['file', { content: VTT }])
  await forms.put(`${base}/audio-tracks/de`, ['file', { content: await tone() }])
  await service.api.put(`${base}/chapters`, { chapters: [{ title: 'Start', start_time_sec: 0 }] })
  const { body: feed } = await service.api.post('/feeds', { name: 'F' })
  const content_ids = [other.id, video.id, image.id]
  await service.api.post(`/feeds/${feed.id}/content`, { content_ids, content_type: 'mixed' })
  await settled(service.api, video.id)

  const look = async (api = service.api) => {
    const answers = [
      base,
      `${base}/subtitles`,
      `${base}/audio-tracks`,
      `${base}/chapters`,
      `${base}/progress`,
    ]
    const paths = [...answers, `/images/${image.id}`, `/feeds/${feed.id}`, '/videos', '/images', '/project']
    return Promise.all(paths.map(async (path) => (await api.get(path)).body))
  }
  const addresses = [
    image.file.url,
    video.file.url,
    video.poster.file.url,
    `${video.file.url}/v90/0.m4s`,
    ...(await Promise.all(
      ['subtitles', 'audio-tracks'].map(
        async (kind) => (await service.api.get(`${base}/${kind}`)).body.data[0].url,
      ),
    )),
  ]
  // The background makes images smaller for a moment longer.
  let before = await look()
  for (let again = await look(); JSON.stringify(again) !== JSON.stringify(before); again = await look()) {
    before = again
    await sleep(200)
  }
  const bytes = bytesOnDisk(dataDir)

  expect((await service.api.delete(base)).status).toBe(204)
  expect((await service.api.delete(`/images/${image.id}`)).status).toBe(204)
  // Every start has a port of its own.
  const statusNow = async (address: string) => (await fetch(service.url + new URL(address).pathname)).status
  const gone = async () => {
    for (const path of [base, `${base}/subtitles`, `${base}/thumbnail`, `/images/${image.id}`])
      expect((await service.api.get(path)).status, path).toBe(404)
    for (const address of addresses) expect(await statusNow(address), address).toBe(404)
    const page = (await service.api.get(`/feeds/${feed.id}`)).body
    expect(page.pagination.total).toBe(1)
    expect(page.data.map(({ image_id }: { image_id: string }) => image_id)).toEqual([other.id])
    expect((await service.api.get('/videos')).body.pagination.total).toBe(0)
    expect((await service.api.get('/images')).body.data.map(({ id }: { id: string }) => id)).toEqual([
      other.id,
    ])
  }
  await gone()
  expect(await used(service.api)).toBeLessThan(bytes)
  expect(bytesOnDisk(dataDir)).toBe(bytes)

  // What was acknowledged outlives the process; the port is another afterwards.
  await service.kill()
  service = await startService({ dataDir, env: DAY })
  await gone()
  const listed = await operator('list')
  expect(listed).toEqual([
    expect.objectContaining({ id: image.id, kind: 'image', name: 'still.jpg', bytes: expect.any(Number) }),
    expect.objectContaining({ id: video.id, kind: 'video', name: 'film.mp4', bytes: expect.any(Number) }),
  ])
  const [{ deleted_at, kept_until }] = listed
  expect(Date.parse(kept_until) - Date.parse(deleted_at)).toBe(86_400_000)
  for (const id of [video.id, image.id])
    expect(await operator('restore', '--id', id)).toEqual({ restored: id })
  expect(await operator('list')).toEqual([])
  await settled(service.api, video.id)
  const withoutPort = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll(/localhost:\d+/g, 'localhost'))
  expect(withoutPort(await look())).toEqual(withoutPort(before))
  expect(bytesOnDisk(dataDir)).toBe(bytes)
  for (const address of addresses) expect(await statusNow(address), address).toBe(200)

  expect((await service.api.delete(`/feeds/${feed.id}`)).status).toBe(204)
  const [post] = before[6].data
  const published = `/posts/v1/feeds/${feed.id}/${post.id}`
  for (const path of [`/feeds/${feed.id}`, `/feeds/${feed.id}/info`, published])
    expect((await service.api.get(path)).status, path).toBe(404)
  // Of what is deleted in between, a feed comes back without the posts, and they come back with it.
  await service.api.delete(`/images/${image.id}`)
  await operator('restore', '--id', feed.id)
  expect((await service.api.get(`/feeds/${feed.id}`)).body.pagination.total).toBe(2)
  await operator('restore', '--id', image.id)
  expect(withoutPort(await look())).toEqual(withoutPort(before))

  const project = `/organizations/${seed.org_id}/projects/v1/${seed.project_id}`
  const owner = service.api.as({ authorization: `Bearer ${service.quickstart.access_token}` })
  expect((await owner.delete(`${project}?confirm=${seed.project_id}`)).status).toBe(204)
  expect((await service.api.get('/videos')).status).toBe(401)
  expect((await owner.get(project)).status).toBe(404)
  expect((await owner.get(`/organization/${seed.org_id}/projects`)).body.projects).toEqual([])
  expect((await owner.get(`/organizations/${seed.org_id}/api-keys/v1`)).body.total).toBe(0)
  expect((await fetch(service.url + published)).status).toBe(404)
  for (const address of addresses) expect(await statusNow(address), address).toBe(404)
  await expect(operator('restore', '--id', image.id)).rejects.toThrow('there is no')
  expect(await operator('list')).toMatchObject([{ id: seed.project_id, kind: 'project' }])
  await operator('restore', '--id', seed.project_id)
  await settled(service.api, video.id)
  expect(withoutPort(await look())).toEqual(withoutPort(before))
  for (const address of addresses) expect(await statusNow(address), address).toBe(200)
  expect(bytesOnDisk(dataDir)).toBe(bytes)
  await service.stop()
  discard(dataDir)
})

test('when their time is over, or the trash is emptied, they are gone for good', async () => {
  const env = { ...DAY, MARQUEE_SWEEP_INTERVAL: '1' }
  const service = await composeForTest({ env })
  const { api, sql, dataDir } = service
  const operator = operatorOf(service)
  const tenant = await addTenant(service, 'acme')
  const theirs = api.as(key(tenant.secretKey))
  const { body: theirImage } = await uploaderOf(theirs).upload(await smallJpeg())
  const { body: image } = await uploaderOf(api).upload(await smallJpeg())
  const { body: early } = await uploaderOf(api).upload(await smallJpeg())
  const video = await videoUploaderOf(api).upload(await clip())
  const { body: feed } = await api.post('/feeds', { name: 'F' })
  const content = { content_ids: [image.id, early.id, video.id], content_type: 'mixed' }
  await api.post(`/feeds/${feed.id}/content`, content)
  for (const path of [
    `/images/${image.id}`,
    `/images/${early.id}`,
    `/videos/${video.id}`,
    `/feeds/${feed.id}`,
  ])
    expect((await api.delete(path)).status).toBe(204)
  const project = `/organizations/${tenant.orgId}/projects/v1/${tenant.projectId}`
  expect((await tenant.owner.delete(`${project}?confirm=${tenant.projectId}`)).status).toBe(204)
  expect(await used(api)).toBe(0)

  expect(await operator('empty', { id: early.id })).toEqual({ gone: early.id })
  const ofFile = (id: string) => objectsOnDisk(dataDir).filter((file) => file.includes(id))
  while (ofFile(early.file.id).length > 0) await sleep(50)
  await expect(operator('empty', { id: early.id })).rejects.toThrow('there is no')
  for (const id of [image.file.id, video.file.id, video.poster.file.id, theirImage.file.id])
    expect(ofFile(id).length, id).toBeGreaterThan(0)
  const items = (await operator('list')) as { id: string }[]
  expect(items.map(({ id }) => id).toSorted()).toEqual(
    [feed.id, image.id, tenant.projectId, video.id].toSorted(),
  )

  const day = `interval '86401 seconds'`
  for (const table of ['projects', 'files', 'feeds', 'images', 'videos'])
    await sql.unsafe(`update ${table} set deleted_at = deleted_at - ${day}`)
  while (objectsOnDisk(dataDir).length > 0) await sleep(50)
  while ((await sql`select from feeds`).length > 0) await sleep(50)
  for (const table of ['files', 'images', 'videos', 'trashed_posts', 'posts', 'garbage'])
    expect(await sql.unsafe(`select from ${table}`), table).toHaveLength(0)
  expect(await sql`select from projects`).toHaveLength(1)
  expect(await operator('list')).toEqual([])
  for (const id of items.map((item) => item.id))
    await expect(operator('restore', { id }), id).rejects.toThrow('there is no')
})

test('what cannot come back says why', async () => {
  const service = await composeForTest({ env: { ...DAY, MARQUEE_ROLES: 'api' } })
  const { api } = service
  const tenant = await addTenant(service, 'acme')
  const theirs = api.as(key(tenant.secretKey))
  const { body: image } = await uploaderOf(theirs).upload(await smallJpeg())
  const { body: feed } = await theirs.post('/feeds', { name: 'F' })
  await theirs.delete(`/images/${image.id}`)
  await theirs.delete(`/feeds/${feed.id}`)
  const operator = operatorOf(service)
  const details = async (restoring: Promise<unknown>) =>
    restoring.then(
      () => 'restored',
      (error) => error.details ?? error.message,
    )
  const full = operatorOf(service, { MARQUEE_STORAGE_CUSTOM: '1KiB' })
  expect(await details(full('restore', { id: image.id }))).toMatch(
    /^it takes \d+ bytes, and its project uses 0 of 1024: /,
  )
  const project = `/organizations/${tenant.orgId}/projects/v1/${tenant.projectId}`
  await tenant.owner.delete(`${project}?confirm=${tenant.projectId}`)
  for (const id of [image.id, feed.id])
    expect(await details(operator('restore', { id }))).toBe(
      `its project ${tenant.projectId} is in the trash: restore that first`,
    )
  for (const id of ['vid_00000000000000000000000000', 'img_x', 'feed_x', 'proj_x'])
    expect(await details(operator('restore', { id }))).toBe(`there is no ${id} in the trash`)
  expect(await details(operator('restore', { id: 'key_x' }))).toMatch(/is not the id of/)
  for (const id of [tenant.projectId, image.id, feed.id])
    expect(await details(operator('restore', { id }))).toBe('restored')
  expect((await theirs.get(`/images/${image.id}`)).body).toEqual(image)
  expect((await theirs.get(`/feeds/${feed.id}/info`)).body).toEqual(feed)
  expect(await details(operator('restore', { id: image.id }))).toMatch(/there is no/)
})

test('a video deleted while it is made comes back, and is made to its end', {
  timeout: 180_000,
}, async () => {
  const service = await composeForTest({ env: { ...DAY, MARQUEE_SWEEP_INTERVAL: '1' } })
  const { api, sql, dataDir } = service
  const operator = operatorOf(service)
  const content = await clip(6)
  for (const pause of [0, 700]) {
    const video = await videoUploaderOf(api).upload(content)
    await sleep(pause)
    expect((await api.delete(`/videos/${video.id}`)).status).toBe(204)
    expect(await used(api)).toBe(0)
    while ((await sql`select from jobs where queue = 'fill-video'`).length > 0) await sleep(50)
    await operator('restore', { id: video.id })
    await settled(api, video.id)
    expect((await api.get(`/videos/${video.id}`)).body).toEqual(video)
    expect(await used(api)).toBe(bytesOnDisk(dataDir))
    await api.delete(`/videos/${video.id}`)
    await operator('empty', { id: video.id })
    while (objectsOnDisk(dataDir).length > 0) await sleep(50)
  }
})
