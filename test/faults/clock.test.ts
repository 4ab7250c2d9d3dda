import { describe, expect, onTestFinished, test } from 'vitest'
import { key } from '../support/api.ts'
import { duckDbOf, videoOf, watchesOf, watching } from '../support/events.ts'
import { local, uploaderOf } from '../support/media.ts'
import { startPostgres } from '../support/postgres.ts'
import { smallJpeg } from '../support/posts.ts'
import { discard, emptyDataDir, startService } from '../support/service.ts'
import { canBeWrong, wrongClock } from '../support/wrong-clock.ts'

const VIDEO = videoOf(8)
const AHEAD = 600
const BEHIND = -AHEAD

describe.skipIf(!canBeWrong)('a clock that is ten minutes wrong', () => {
  /** Processes on one database whose clock is right. */
  async function installation() {
    const postgres = await startPostgres()
    const stops: (() => Promise<unknown>)[] = [() => postgres.stop()]
    onTestFinished(async () => {
      for (const stop of stops.reverse()) await stop()
    })
    return async (env: Record<string, string>, dataDir = emptyDataDir()) => {
      const service = await startService({ dataDir, env: { MARQUEE_DATABASE_URL: postgres.url, ...env } })
      stops.push(async () => {
        await service.stop()
        discard(dataDir)
      })
      return service
    }
  }

  test('and is set back while it runs: nothing stands still until it is what it was', async () => {
    const start = await installation()
    const clock = wrongClock(AHEAD)
    const service = await start({ ...clock.env, MARQUEE_LIMIT_PUBLIC_PER_MINUTE: '5' })
    const { api } = service
    const says = async () => Date.parse((await api.get('/healthz')).headers.get('date')!)
    expect(await says()).toBeGreaterThan(Date.now() + (AHEAD - 60) * 1000)

    const { init, put, complete } = uploaderOf(api)
    const begun = (await init('before.jpg')).body
    await put(begun.presigned_url, new Uint8Array(await smallJpeg()))
    const send = (viewer: string) => api.post('/analytics/v1/events', watching(VIDEO, 1, { user_id: viewer }))
    expect((await send('ann')).status).toBe(200)
    expect(await watchesOf(api, VIDEO)).toBe(1)
    const readPost = () =>
      api.as({}).get('/posts/v1/feeds/feed_00000000000000000000000000/post_00000000000000000000000000')
    while ((await readPost()).status !== 429);
    process.kill(duckDbOf(service)!, 'SIGKILL')

    clock.set(0)
    await expect.poll(says).toBeLessThan(Date.now() + 60_000)
    // What was begun is completed, and what is sent is loaded and counted.
    const image = (await complete(begun.image_id)).body
    expect((await fetch(local(image.file.url))).status).toBe(200)
    expect((await send('ann')).status).toBe(200)
    await expect.poll(() => watchesOf(api, VIDEO).catch(String)).toBe(2)
    // A window of a minute is not open for ten: whether it is the one of before or a new one.
    let refused = await readPost()
    while (refused.status !== 429) refused = await readPost()
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  })

  test('what a viewer sent by it is deleted by a process whose clock is right', async () => {
    const start = await installation()
    const dataDir = emptyDataDir()
    const wrong = await start(wrongClock(AHEAD).env, dataDir)
    const { api_key } = wrong.quickstart
    const send = await wrong.api.post('/analytics/v1/events', watching(VIDEO, 3, { user_id: 'eve' }))
    expect(send.status).toBe(200)
    await wrong.stop()

    const { api } = await start({}, dataDir)
    const asOwner = api.as(key(api_key))
    expect(await watchesOf(asOwner, VIDEO)).toBe(3)
    expect((await asOwner.delete('/analytics/v1/viewers/eve')).status).toBe(202)
    const deletion = async () => (await asOwner.get('/analytics/v1/viewers/eve/deletion')).body.status
    await expect.poll(deletion).toBe('done')
    expect(await watchesOf(asOwner, VIDEO)).toBe(0)
  })

  test.each([
    ['ahead', AHEAD],
    ['behind', BEHIND],
  ])(
    'and is %s, beside one that is right: each takes what the other has made, and refuses what it has ended',
    async (_, seconds) => {
      const start = await installation()
      const right = await start({})
      const wrong = await start(wrongClock(seconds).env)
      const { api_key, owner_email: email, owner_password: password } = right.quickstart
      for (const [made, other] of [
        [right, wrong],
        [wrong, right],
      ] as const) {
        const anybody = made.api.as({})
        const { access_token, refresh_token } = (await anybody.post('/auth/v1/login', { email, password }))
          .body
        const bearer = { authorization: `Bearer ${access_token}` }
        expect((await other.api.as(bearer).get('/auth/v1/users/current')).status).toBe(200)
        const renewed = await other.api.as({}).post('/auth/v1/token', { refresh_token })
        expect(renewed.status).toBe(200)
        const { org_id } = right.quickstart
        const keys = `/organizations/${org_id}/api-keys/v1`
        const { project_id } = right.quickstart
        const created = await made.api.as(bearer).post(keys, { name: 'both', project_id })
        const secret = key(created.body.api_key.secret!)
        expect((await other.api.as(secret).get('/project')).status).toBe(200)
        expect((await made.api.as(bearer).delete(`${keys}/${created.body.api_key.id}`)).status).toBeLessThan(
          300,
        )
        expect((await other.api.as(secret).get('/project')).status).toBe(401)
      }
      expect((await wrong.api.as(key(api_key)).get('/project')).status).toBe(200)
    },
  )
})
