import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Api } from '../support/api.ts'
import { videoOf, watching } from '../support/events.ts'
import { composeForTest } from '../support/in-process.ts'
import { addTenant } from '../support/world.ts'

const VIDEO = videoOf(7)
const EVE = 'eve+1@example.com/ü'
const ofEve = `/analytics/v1/viewers/${encodeURIComponent(EVE)}`

const watch = async (api: Api, viewer: string, events: number) =>
  expect((await api.post('/analytics/v1/events', watching(VIDEO, events, { user_id: viewer }))).status).toBe(
    200,
  )
const figuresOf = async (api: Api) => {
  const { body } = await api.get(`/analytics/v1/videos/${VIDEO}/stats`)
  return { watches: body.watches, viewers: body.unique_viewers }
}

test('what a viewer has sent goes for good, when that is done is said, and what they send later counts', async () => {
  const service = await composeForTest()
  const { api } = service
  const { owner: other } = await addTenant(service, 'other')
  for (const each of [api, other]) await watch(each, EVE, 3)
  await watch(api, 'bob', 2)
  expect(await figuresOf(api)).toEqual({ watches: 5, viewers: 2 })
  const unasked = await api.get(`${ofEve}/deletion`)
  expect(unasked.status).toBe(404)

  const asked = await api.delete(ofEve)
  expect(asked.status).toBe(202)
  expect(asked.body).toMatchObject({ viewer_id: EVE, status: 'pending' })
  await expect.poll(async () => (await api.get(`${ofEve}/deletion`)).body.status).toBe('done')
  const done = (await api.get(`${ofEve}/deletion`)).body
  expect(Date.parse(done.done_at)).toBeGreaterThanOrEqual(Date.parse(done.requested_at))
  expect(await figuresOf(api)).toEqual({ watches: 2, viewers: 1 })
  expect(await figuresOf(other)).toEqual({ watches: 3, viewers: 1 })
  expect((await other.get(`${ofEve}/deletion`)).status).toBe(404)

  await watch(api, EVE, 1)
  expect(await figuresOf(api)).toEqual({ watches: 3, viewers: 2 })
  expect((await api.delete(ofEve)).body).toMatchObject({ status: 'pending' })
  await expect.poll(() => figuresOf(api)).toEqual({ watches: 2, viewers: 1 })
})

test('nothing of them is left in the spool either', async () => {
  const { api, seed, dataDir } = await composeForTest()
  await watch(api, EVE, 3)
  await watch(api, 'bob', 2)
  expect((await api.delete(ofEve)).status).toBe(202)
  await expect.poll(async () => (await api.get(`${ofEve}/deletion`)).body.status).toBe('done')
  const spool = path.join(dataDir, 'events/spool')
  const kept = readdirSync(spool).flatMap((file) => readFileSync(path.join(spool, file), 'utf8').split('\n'))
  const ofMine = kept.filter((line) => line.includes(seed.project_id))
  expect(ofMine).toHaveLength(2)
  expect(ofMine.join()).not.toContain(EVE)
})
