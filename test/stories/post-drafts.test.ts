import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { uploaderOf } from '../support/media.ts'
import { smallJpeg, withFeed } from '../support/posts.ts'
import { addTenant } from '../support/world.ts'

test('what cannot be decoded leaves a draft a draft, with the reason', async () => {
  const { api, base, init, put, complete } = await withFeed()
  const { body } = await init()
  await put(body.content_upload_url, Buffer.from('this is no picture'))
  const refused = await complete(body.post_id)
  expect(refused.body).toMatchObject({ code: 400, error: 'Bad Request', details: expect.any(String) })
  expect((await api.get(`${base}/${body.post_id}`)).body.failure).toBe(refused.body.details)
  await put(body.content_upload_url, await smallJpeg())
  const { status, body: post } = await complete(body.post_id)
  expect(status).toBe(200)
  expect(post.failure).toBeUndefined()
})

test('drafts expire with their addresses', async () => {
  const { api, sql, base, init } = await withFeed({
    env: { MARQUEE_UPLOAD_LIFETIME: '1', MARQUEE_SWEEP_INTERVAL: '1' },
  })
  const { body } = await init()
  expect((await api.get(`${base}/${body.post_id}`)).status).toBe(200)
  while ((await api.get(`${base}/${body.post_id}`)).status !== 404) await sleep(200)
  expect(await sql`select from posts`).toHaveLength(0)
})

test('a draft of a kind that its feed no longer allows stays a draft', async () => {
  const { api, feed, base, send, complete } = await withFeed()
  const { post_id } = await send(await smallJpeg(), { image_format: 'jpeg' })
  expect((await api.put(`/feeds/${feed.id}`, { allow_images: false })).status).toBe(200)
  expect((await complete(post_id)).body).toEqual({
    code: 400,
    error: 'Bad Request',
    details: 'this feed does not allow images',
  })
  expect((await api.get(`${base}?status=draft`)).body.pagination.total).toBe(1)
  expect((await api.put(`/feeds/${feed.id}`, { allow_images: true })).status).toBe(200)
  expect((await complete(post_id)).status).toBe(200)
})

test('a post becomes a draft again and comes back to its place; what is not there is not published', async () => {
  const service = await withFeed()
  const { api, url, feed, base, init, put } = service
  const images = uploaderOf(api)
  const media = [
    (await images.upload(await smallJpeg())).body.id,
    (await images.upload(await smallJpeg())).body.id,
  ]
  const content = { content_ids: media, content_type: 'image' }
  const { data } = (await api.post(`/feeds/${feed.id}/content`, content)).body
  const [older = '', newer = ''] = data.map(({ id }: { id: string }) => id)
  const listed = async (query = '') =>
    (await api.get(`${base}${query}`)).body.data.map(({ id }: { id: string }) => id)
  const change = (id: string, published: boolean) => api.patch(`${base}/${id}`, { published })
  await api.post(`${base}/${older}/move`, { before: newer })
  expect(await listed()).toEqual([older, newer])

  for (const _ of ['once', 'and again']) {
    expect((await change(older, false)).body).toMatchObject({ id: older, image_id: media[0] })
    expect(await listed()).toEqual([newer])
    expect(await listed('?status=draft')).toEqual([older])
  }
  expect((await api.get(`/feeds/${feed.id}`)).body.pagination.total).toBe(1)
  expect((await fetch(`${url}/posts/v1/feeds/${feed.id}/${older}`)).status).toBe(404)
  // What is not said stays as it is.
  await api.patch(`${base}/${older}`, { description: 'A draft' })
  expect((await api.get(`${base}/${older}`)).body).toMatchObject({ published: false, description: 'A draft' })
  for (const _ of ['once', 'and again']) expect((await change(older, true)).status).toBe(200)
  expect(await listed()).toEqual([older, newer])
  expect((await fetch(`${url}/posts/v1/feeds/${feed.id}/${older}`)).status).toBe(200)

  const { post_id, content_upload_url } = (await init({})).body
  expect(await change(post_id, true)).toMatchObject({
    status: 409,
    body: { details: 'its content is not there yet; complete its upload' },
  })
  await put(content_upload_url, await smallJpeg())
  expect((await change(post_id, true)).status).toBe(409)
  await change(older, false)
  await api.put(`/feeds/${feed.id}`, { allow_images: false })
  expect((await change(older, true)).status).toBe(400)
  expect((await change(`post_${'0'.repeat(26)}`, true)).status).toBe(404)
  const theirs = api.as({ 'x-api-key': (await addTenant(service, 'other')).secretKey })
  // The project in the address is not theirs.
  expect((await theirs.patch(`${base}/${newer}`, { published: false })).status).toBe(403)
  expect(await listed()).toEqual([newer])
})
