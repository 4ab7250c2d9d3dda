import { describe, expect, test } from 'vitest'
import { changePlan } from '../../server/access/organizations/organizations.ts'
import { OPERATOR } from '../../server/base/caller.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { authorOf, smallJpeg } from '../support/posts.ts'
import { hangsUp, keepsSilent, says } from '../support/scripted-server.ts'
import { clip, videoUploaderOf } from '../support/video.ts'
import { addTenant } from '../support/world.ts'
import { receiverOf, TELLS_LOOPBACK } from './receiver.ts'

const compose = () => composeForTest({ env: TELLS_LOOPBACK })
type Steps = Parameters<typeof receiverOf>[1]

function receiver(service: InProcess, steps: Steps = [says(204)], more: object = {}) {
  const { org_id: orgId, project_id: projectId } = service.seed
  return receiverOf({ api: service.api, orgId, projectId }, steps, more)
}

const kindsOf = (told: { type: string }[]) => told.map(({ type }) => type)

describe('webhooks', () => {
  test('tell of everything that happens, once, signed, in order for each thing, and of nothing else', async () => {
    const service = await compose()
    const { api, seed, sql } = service
    const all = await receiver(service)
    const onlyFailed = await receiver(service, [says(204)], { kinds: ['video.failed'] })
    const tenant = await addTenant(service, 'other')
    const theirs = await receiverOf({ api: tenant.owner, ...tenant }, [says(204)])

    const image = await uploaderOf(api).upload(await smallJpeg())
    const video = await videoUploaderOf(api).upload(await clip(2))
    const feed = await api.post(`/feeds`, { name: 'News' })
    expect(feed.status).toBeLessThan(300)
    const post = await authorOf(api, seed.project_id, feed.body.id).post(await smallJpeg())
    await expect.poll(() => kindsOf(all.told())).toContain('video.processed')
    await api.delete(`/videos/${video.id}`)
    await api.delete(`/images/${image.body.id}`)
    await api.delete(`/posts/v1/projects/${seed.project_id}/feeds/${feed.body.id}/posts/${post.id}`)
    const unfinished = await uploaderOf(api).init('late.jpg')
    await sql`update files set upload_expires = now() - interval '1 hour' where status = 'uploading'`
    await sql`delete from files where status = 'uploading'`
    await changePlan(OPERATOR, seed.org_id, 'pro', sql)
    const keys = `/organizations/${seed.org_id}/api-keys/v1`
    const { body } = await api.get(keys)
    const publishable = body.api_keys.find(({ kind }: { kind: string }) => kind === 'pk')!
    await api.post(`${keys}/${publishable.id}/rotate`, {})

    await expect.poll(() => kindsOf(all.told())).toContain('key.rotated')
    const told = all.told()
    const of = (name: string, id: string) =>
      kindsOf(told.filter(({ data }) => data[name] === id && data.post_id === undefined))
    expect(of('video_id', video.id)).toEqual(['video.ready', 'video.processed', 'video.deleted'])
    expect(of('image_id', image.body.id)).toEqual(['image.ready', 'image.deleted'])
    expect(kindsOf(told.filter(({ data }) => data.post_id === post.id))).toEqual([
      'post.published',
      'post.deleted',
    ])
    expect(of('image_id', unfinished.body.image_id)).toEqual(['upload.expired'])
    expect(told.find(({ type }) => type === 'plan.changed')?.data).toMatchObject({
      org_id: seed.org_id,
      plan: 'pro',
    })
    // The record, as the API shows it.
    const dataOf = (kind: string) => told.find(({ type }) => type === kind)?.data
    expect(dataOf('video.ready')).toMatchObject({
      id: video.id,
      file: { name: 'clip.mp4', status: 'ready', url: expect.stringContaining('/cdn/') },
      width: expect.any(Number),
      duration: expect.any(Number),
      project_id: seed.project_id,
    })
    // Read when it is told: by then the file may have become smaller.
    const { id: fileId, name, url, status } = image.body.file
    expect(dataOf('image.ready')).toMatchObject({ ...image.body, file: { id: fileId, name, url, status } })
    expect(dataOf('post.published')).toMatchObject({ id: post.id, type: 'image', image: { width: 64 } })
    expect(dataOf('video.deleted')).toMatchObject({ id: video.id })
    expect(new Set(told.map(({ id }) => id)).size).toBe(told.length)
    // The post's picture, and nothing of posters.
    expect(kindsOf(told).filter((type) => type.startsWith('image.')).length).toBe(3)
    expect(onlyFailed.heard).toEqual([])
    expect(kindsOf(theirs.told()).filter((type) => type !== 'plan.changed')).toEqual([])
  })

  test('are tried again under the same id until they are taken; what follows on the same thing waits for it', async () => {
    const service = await compose()
    const { api } = service
    const broken = await receiver(service, [says(500), hangsUp, keepsSilent, says(302), says(204)])
    const other = await receiver(service)
    const { body: first } = await uploaderOf(api).upload(await smallJpeg())
    await api.delete(`/images/${first.id}`)
    const { body: second } = await uploaderOf(api).upload(await smallJpeg())
    await expect.poll(() => kindsOf(other.told())).toHaveLength(3)
    await expect.poll(() => broken.heard.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(7)
    const told = broken.told()
    const about = (id: string) => told.filter(({ data }) => data.image_id === id)
    const ids = about(first.id).map(({ id, type }) => `${type} ${id}`)
    expect(new Set(ids).size).toBe(2)
    // All tries of the first, and only then the second.
    expect(kindsOf(about(first.id))).toEqual(kindsOf(about(first.id)).toSorted().reverse())
    expect(about(second.id).length).toBeGreaterThan(0)
    await expect
      .poll(async () => (await api.get(`${broken.path}/deliveries?state=delivered`)).body.pagination.total)
      .toBe(3)
    const tries = await api.get(`${broken.path}/deliveries/${about(first.id)[0]!.id}`)
    expect(tries.body.tries.at(-1)).toMatchObject({
      request: { body: broken.heard[0]!.body, headers: { 'webhook-id': about(first.id)[0]!.id } },
    })
    expect(tries.body.tries[0].response.status).toBe(204)
    expect((await api.get(broken.path)).body.failing_since).toBeUndefined()
  })

  test('are replayed, one, those of a time, or those that failed', async () => {
    const service = await compose()
    const { api } = service
    const one = await receiver(service)
    await uploaderOf(api).upload(await smallJpeg())
    await expect.poll(() => one.heard.length).toBe(1)
    const { id } = one.told()[0]!
    const isDone = async () => (await api.get(`${one.path}/deliveries/${id}`)).body.state
    await expect.poll(isDone).toBe('delivered')
    expect((await api.post(`${one.path}/deliveries/${id}/replay`)).status).toBe(202)
    await expect.poll(() => one.told().map((told) => told.id)).toEqual([id, id])
    await expect.poll(isDone).toBe('delivered')
    expect((await api.post(`${one.path}/replay`, { state: 'failed' })).body).toEqual({ replayed: 0 })
    const since = new Date(Date.now() - 3600_000).toISOString()
    expect((await api.post(`${one.path}/replay`, { since })).body).toEqual({ replayed: 1 })
    await expect.poll(() => one.heard.length).toBe(3)
    expect((await api.post(`${one.path}/replay`, {})).status).toBe(400)
  })

  test('are signed with the old and the new secret while both are valid', async () => {
    const service = await compose()
    const { api } = service
    const one = await receiver(service)
    const rotated = await api.post(`${one.path}/rotate`)
    expect(rotated.body.webhook.secret).toMatch(/^whsec_/)
    expect((await api.post(`${one.path}/test`, { kind: 'post.published' })).status).toBe(202)
    await expect.poll(() => one.heard.length).toBe(1)
    for (const secret of [one.webhook.secret, rotated.body.webhook.secret]) {
      one.useSecret(secret)
      expect(one.told()[0]).toMatchObject({ type: 'post.published', data: { test: true } })
    }
    const again = await api.post(`${one.path}/rotate`, { grace_seconds: 0 })
    await api.post(`${one.path}/test`)
    await expect.poll(() => one.heard.length).toBe(2)
    expect(() => one.told()).toThrow('No matching signature')
    one.useSecret(again.body.webhook.secret)
    expect(() => one.told()).toThrow('No matching signature')
    expect((await api.get(one.path)).body.webhook).not.toHaveProperty('secret')
  })

  test('an endpoint that says it is gone is switched off, and can be switched on again', async () => {
    const service = await compose()
    const { api } = service
    const one = await receiver(service, [says(410), says(204)])
    await uploaderOf(api).upload(await smallJpeg())
    await expect
      .poll(async () => (await api.get(one.path)).body.webhook.disabled_reason)
      .toBe('it answered 410 Gone')
    await uploaderOf(api).upload(await smallJpeg())
    expect((await api.post(`${one.path}/test`)).status).toBe(409)
    // Who is told is decided a little after it happened: before it is switched on again.
    const untold = async () => (await service.sql`select from webhook_outbox`).length
    await expect.poll(untold).toBe(0)
    expect((await api.patch(one.path, { enabled: true })).body.webhook).toMatchObject({ enabled: true })
    expect((await api.post(`${one.path}/replay`, { state: 'failed' })).body).toEqual({ replayed: 1 })
    await expect.poll(() => one.heard.length).toBe(2)
  })

  test('never call an address inside, unless the operator says so', async () => {
    const service = await composeForTest({ env: { ...TELLS_LOOPBACK, MARQUEE_OUTBOUND_NETWORKS: '' } })
    const { api } = service
    const one = await receiver(service)
    const urls = [
      'http://127.0.0.1',
      'http://[::1]',
      'http://169.254.169.254',
      'http://localhost',
      'http://0/',
    ]
    for (const url of [one.webhook.url, ...urls]) {
      await api.patch(one.path, { url })
      const { body } = await api.post(`${one.path}/test`)
      const tried = async () => (await api.get(`${one.path}/deliveries/${body.message.id}`)).body.tries[0]
      await expect.poll(tried, url).toMatchObject({ error: expect.stringContaining('private network') })
    }
    expect(one.heard).toEqual([])
    const open = { ...TELLS_LOOPBACK, MARQUEE_OUTBOUND_NETWORKS: '', MARQUEE_WEBHOOKS_ALLOW_PRIVATE: 'true' }
    const other = await composeForTest({ env: open })
    const inner = await receiver(other)
    await other.api.post(`${inner.path}/test`)
    await expect.poll(() => inner.heard.length).toBe(1)
    for (const url of ['ftp://example.com', 'nonsense', 'https://user:secret@example.com'])
      expect((await api.patch(one.path, { url })).status, url).toBe(400)
  })

  test('the list of what happened is followed by a cursor', async () => {
    const service = await compose()
    const { api } = service
    const messages = '/webhooks/v1/messages'
    await uploaderOf(api).upload(await smallJpeg())
    let cursor = (await api.get(messages)).body.next_cursor
    const seen: string[] = []
    await uploaderOf(api).upload(await smallJpeg())
    const follow = async () => {
      const { body } = await api.get(`${messages}?after=${cursor}&limit=1`)
      cursor = body.next_cursor
      seen.push(...kindsOf(body.data))
      return seen.length
    }
    await expect.poll(follow).toBeGreaterThanOrEqual(1)
    expect(new Set(seen)).toEqual(new Set(['image.ready']))
  })
})
