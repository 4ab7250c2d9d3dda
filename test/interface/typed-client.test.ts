import { expect, expectTypeOf, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'

test('the tests’ own client knows by an address what it answers', async () => {
  const { api, seed } = await composeForTest()
  const { body: project } = await api.get('/project')
  expectTypeOf(project.storage_used).toEqualTypeOf<number>()
  // @ts-expect-error: the description has no such field.
  expect(project.storage_left).toBeUndefined()

  const { body: feed } = await api.post('/feeds', { name: 'news' })
  expectTypeOf(feed.has_likes).toEqualTypeOf<boolean>()
  const { body: page } = await api.get(`/feeds/${feed.id}?limit=1`)
  expectTypeOf(page.pagination.next_cursor).toEqualTypeOf<string>()
  expectTypeOf<(typeof page.data)[0]['type']>().toEqualTypeOf<'video' | 'image'>()
  expect(page.data).toEqual([])
  const { body: keys } = await api.get(`/organizations/${seed.org_id}/api-keys/v1`)
  expectTypeOf(keys.api_keys[0].kind).toEqualTypeOf<'sk' | 'pk'>()
  expect(keys.total).toBe(2)
})

test('it takes whatever a test sends, and any address', async () => {
  const { api } = await composeForTest()
  const refused = await api.post('/feeds', { name: 7 })
  expectTypeOf(refused.body.details).toEqualTypeOf<string>()
  expect(refused.body).toMatchObject({ code: 400, details: 'body.name: must be string' })
  const nowhere = await api.get('/nowhere')
  expectTypeOf(nowhere.body).toBeAny()
  expect(nowhere.body.code).toBe(404)
  const own = await api.get<{ status: 'ok' }>('/healthz')
  expectTypeOf(own.body.status).toEqualTypeOf<'ok'>()
  expect(own.body.status).toBe('ok')
})
