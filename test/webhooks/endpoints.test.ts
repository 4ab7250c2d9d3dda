import { expect, test } from 'vitest'
import { key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { says } from '../support/scripted-server.ts'
import { addTenant } from '../support/world.ts'
import { receiverOf, TELLS_LOOPBACK } from './receiver.ts'

const compose = () => composeForTest({ env: TELLS_LOOPBACK })

test('endpoints of two projects of an organization hear nothing of each other’s, and are listed together', async () => {
  const service = await compose()
  const { orgId, projectId, owner, secretKey } = await addTenant(service, 'acme')
  const api = service.api.as(key(secretKey))
  const { body: second } = await owner.post(`/organizations/${orgId}/projects/v1`, { name: 'Second' })
  const { body: made } = await owner.post(`/organizations/${orgId}/api-keys/v1`, {
    name: 'of the second',
    kind: 'sk',
    project_id: second.id,
  })
  const theirs = api.as(key(made.api_key.secret))
  const one = await receiverOf({ api: owner, orgId, projectId }, [says(204)])
  const other = await receiverOf({ api: owner, orgId, projectId: second.id }, [says(204)])
  const upload = async (to: typeof api) => (await uploaderOf(to).upload(await smallJpeg())).body.id
  const [mine, hers] = [await upload(api), await upload(theirs)]
  await expect.poll(() => one.told().map(({ data }) => data.image_id)).toEqual([mine])
  await expect.poll(() => other.told().map(({ data }) => data.image_id)).toEqual([hers])

  const base = `/organizations/${orgId}/webhooks/v1` as const
  const listed = (await owner.get(base)).body
  expect(listed.pagination.total).toBe(2)
  expect(listed.data.map(({ id }) => id)).toEqual([other.webhook.id, one.webhook.id])
  for (const webhook of listed.data) expect(webhook).not.toHaveProperty('secret')
  // Whoever is confined to a project sees that one's.
  expect((await theirs.get(base)).body.data).toMatchObject([{ id: other.webhook.id }])
  expect((await owner.delete(one.path)).status).toBe(204)
  expect((await owner.get(base)).body.data).toMatchObject([{ id: other.webhook.id }])
})

test('a replay of a time ends where it says', async () => {
  const { api, seed, sql } = await compose()
  const one = await receiverOf({ api, orgId: seed.org_id, projectId: seed.project_id }, [says(204)])
  for (let i = 0; i < 3; i++) await uploaderOf(api).upload(await smallJpeg())
  const delivered = async () =>
    (await api.get(`${one.path}/deliveries?state=delivered`)).body.pagination.total
  await expect.poll(delivered).toBe(3)
  const hours = ['10', '11', '12'].map((hour) => `2026-03-01T${hour}:00:00.000Z`)
  const ids = one.told().map(({ id }) => id)
  for (const [i, id] of ids.entries())
    await sql`update webhook_messages set happened_at = ${hours[i]!} where id = ${id}`
  const [since, until] = [hours[0], hours[2]]
  expect((await api.post(`${one.path}/replay`, { since, until })).body).toEqual({ replayed: 2 })
  await expect.poll(() => one.heard.length).toBe(5)
  const again = one.heard.slice(3).map(({ headers }) => headers['webhook-id'])
  expect(new Set(again)).toEqual(new Set(ids.slice(0, 2)))
  await expect.poll(delivered).toBe(3)
  expect((await api.post(`${one.path}/replay`, { until })).status).toBe(400)
})

test('other kinds hold for what happens next', async () => {
  const { api, seed, sql } = await compose()
  const where = { api, orgId: seed.org_id, projectId: seed.project_id }
  const one = await receiverOf(where, [says(204)], { kinds: ['image.deleted'] })
  const upload = async () => (await uploaderOf(api).upload(await smallJpeg())).body.id as string
  // Who is told of a thing is written down a moment after it.
  const settled = () => expect.poll(async () => (await sql`select from webhook_outbox`).length).toBe(0)
  const told = () => one.told().map(({ type, data }) => [type, data.image_id])
  const first = await upload()
  await settled()
  const changed = await api.patch(one.path, { kinds: ['image.ready'] })
  expect(changed.body.webhook.kinds).toEqual(['image.ready'])
  const second = await upload()
  await api.delete(`/images/${first}`)
  await expect.poll(told).toEqual([['image.ready', second]])
  await settled()
  expect((await api.patch(one.path, { kinds: [] })).body.webhook.kinds).toEqual([])
  await api.delete(`/images/${second}`)
  await expect.poll(told).toEqual([
    ['image.ready', second],
    ['image.deleted', second],
  ])
  for (const kinds of [['image.changed'], 'image.ready', [null]])
    expect((await api.patch(one.path, { kinds })).status, String(kinds)).toBe(400)
  expect((await api.get(`${one.path}/deliveries`)).body.pagination.total).toBe(2)
})

test('a project has at most fifty webhooks', async () => {
  const { api, seed } = await compose()
  const base = `/organizations/${seed.org_id}/webhooks/v1` as const
  const create = () => api.post(base, { project_id: seed.project_id, url: 'https://app.example/hook' })
  for (let i = 0; i < 50; i++) expect((await create()).status).toBe(201)
  expect((await create()).status).toBe(409)
  const [one] = (await api.get(base)).body.data
  await api.delete(`${base}/${one!.id}`)
  expect((await create()).status).toBe(201)
})
