import { expect, expectTypeOf, test } from 'vitest'
import {
  attempt,
  createClient,
  MarqueeError,
  paginate,
  type Schemas,
  type Tokens,
} from '../../packages/client/src/index.ts'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'

test('an operation is called by its address, and its parts and its answer are typed', async () => {
  const { url, seed } = await composeForTest()
  const client = createClient({ url, apiKey: seed.api_key })
  const feed = await client.post('/feeds', { body: { name: 'news' } })
  expectTypeOf(feed).toEqualTypeOf<Schemas['Feed']>()
  expect(feed.name).toBe('news')
  const path = { feedId: feed.id }
  await client.put('/feeds/{feedId}', { path, body: { description: 'all of it' } })
  expect((await client.get('/feeds/{feedId}/info', { path })).description).toBe('all of it')
  const page = await client.get('/feeds', { query: { limit: 5, offset: undefined } })
  expect(page.pagination).toEqual({ limit: 5, offset: 0, total: 1 })
  expect(await client.delete('/feeds/{feedId}', { path })).toBeUndefined()

  // @ts-expect-error: a feed has a name.
  expect((await attempt(client.post('/feeds', { body: {} }))).error?.status).toBe(400)
  // @ts-expect-error: the path has a part.
  expect((await attempt(client.get('/feeds/{feedId}/info'))).error?.status).toBe(400)
  // @ts-expect-error: there is no such address.
  expect((await attempt(client.get('/nowhere'))).error?.status).toBe(404)
})

test('a refusal is a value with the service’s words and the request’s id', async () => {
  const { url, seed } = await composeForTest()
  const client = createClient({ url, apiKey: seed.api_key })
  const videoId = 'vid_00000000000000000000000000'
  const { data, error } = await attempt(client.get('/videos/{videoId}', { path: { videoId } }))
  expect(data).toBeUndefined()
  expect(error).toMatchObject({ name: 'MarqueeError', status: 404, code: 404, error: 'Video not found' })
  expect(error!.requestId).toMatch(/\w{8}/)
  const refused = client.get('/videos/{videoId}', { path: { videoId: 'a/b' } })
  await expect(refused).rejects.toBeInstanceOf(MarqueeError)
  await expect(refused).rejects.toMatchObject({ status: 400, details: expect.stringContaining('videoId') })
  const nobody = createClient({ url })
  expect((await attempt(nobody.get('/project'))).error?.status).toBe(401)
})

test('a form is sent as one', async () => {
  const { url, seed } = await composeForTest()
  const client = createClient({ url, apiKey: seed.api_key })
  const form = new FormData()
  form.append('file', new Blob(['WEBVTT\n']), 'a.txt')
  const path = { videoId: 'vid_00000000000000000000000000', lang_code: 'de' }
  const sent = await attempt(client.put('/videos/{videoId}/subtitles/{lang_code}', { path, body: form }))
  expect(sent.error).toMatchObject({ status: 404, error: 'Not Found' })
})

test('a list is walked through by its cursors, whatever is posted meanwhile', async () => {
  const { url, seed, api } = await composeForTest()
  const client = createClient({ url, apiKey: seed.api_key })
  const { id: feedId } = await client.post('/feeds', { body: { name: 'news' } })
  const picture = await smallJpeg()
  const images: string[] = []
  for (let i = 0; i < 6; i++) images.push((await uploaderOf(api).upload(picture)).body.id)
  const add = (content_ids: string[]) =>
    client.post('/feeds/{feedId}/content', {
      path: { feedId },
      body: { content_type: 'image', content_ids },
    })
  await add(images.slice(0, 5))

  const seen: (string | undefined)[] = []
  for await (const post of paginate(client, '/feeds/{feedId}', { path: { feedId }, query: { limit: 2 } })) {
    expectTypeOf(post).toEqualTypeOf<Schemas['Post']>()
    if (seen.length === 1) await add(images.slice(5))
    seen.push(post.image_id)
  }
  expect(seen).toEqual(images.slice(0, 5).reverse())
})

test('a list without cursors is walked through by its places, and no further than is wanted', async () => {
  const { url, seed } = await composeForTest()
  const asked: string[] = []
  const client = createClient({
    url,
    apiKey: seed.api_key,
    fetch: (address, init) => {
      asked.push(String(address).slice(url.length))
      return fetch(address, init)
    },
  })
  for (let i = 0; i < 5; i++) await client.post('/feeds', { body: { name: `feed ${i}` } })
  asked.length = 0
  const names: string[] = []
  for await (const feed of paginate(client, '/feeds', { query: { limit: 2 } })) names.push(feed.name)
  expect(names).toEqual(['feed 4', 'feed 3', 'feed 2', 'feed 1', 'feed 0'])
  expect(asked).toEqual(['/feeds?limit=2', '/feeds?limit=2&offset=2', '/feeds?limit=2&offset=4'])
  asked.length = 0
  for await (const _ of paginate(client, '/feeds', { query: { limit: 2 } })) break
  expect(asked).toHaveLength(1)
})

test('tokens that expired are exchanged once for all who call', async () => {
  const { url, seed } = await composeForTest()
  const login = { email: seed.owner_email, password: seed.owner_password }
  const signedIn = await createClient({ url }).post('/auth/v1/login', { body: login })
  const kept: Tokens[] = []
  const client = createClient({
    url,
    tokens: { ...signedIn, access_token: 'expired' },
    onTokens: (tokens) => kept.push(tokens),
  })
  const answers = await Promise.all(Array.from({ length: 12 }, () => client.get('/auth/v1/users/current')))
  expect(answers.map(({ email }) => email)).toEqual(Array(12).fill(seed.owner_email))
  // A second exchange of the same would have ended the sign-in.
  expect(kept).toHaveLength(1)
  expect(kept[0]!.refresh_token).not.toBe(signedIn.refresh_token)
  expect((await client.get('/project')).id).toBe(seed.project_id)
  expect(kept).toHaveLength(1)
})

test('where the sign-in has ended, everybody who calls is told', async () => {
  const { url } = await composeForTest()
  const client = createClient({ url, tokens: { access_token: 'expired', refresh_token: 'gone' } })
  const all = await Promise.all([1, 2, 3].map(() => attempt(client.get('/auth/v1/users/current'))))
  expect(all.map(({ error }) => error?.status)).toEqual([401, 401, 401])
})
