import sharp from 'sharp'
import { expect, test } from 'vitest'
import { describedBy } from '../interface/description.ts'
import { key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { inSeconds, newSigningKey } from '../support/playback.ts'
import { smallJpeg } from '../support/posts.ts'
import { addressesIn, addressesOf } from '../support/private-addresses.ts'
import { checkTokens, privateMedia, readAllTheTime, status, wrongTokens } from '../support/private-media.ts'
import { clip, formsOf, videoUploaderOf } from '../support/video.ts'
import { addTenant } from '../support/world.ts'

/** Whatever everybody may read, and how it is asked for what is private. One that is not here fails. */
const PUBLIC: Record<
  string,
  ((feed: string, post: string, url: string) => string) | 'media' | 'nothing of media'
> = {
  getFile: 'media',
  getAsset: 'media',
  getDownload: 'media',
  getWholeSound: 'media',
  getWebpPreview: 'media',
  getAvifPreview: 'media',
  listPublicPosts: (feed) => `/posts/v1/feeds/${feed}`,
  getPublicPost: (feed, post) => `/posts/v1/feeds/${feed}/${post}`,
  getEmbed: (feed, post) => `/embed/${feed}/${post}`,
  getFeedEmbed: (feed) => `/embed/${feed}`,
  getOembed: (feed, post, url) => `/oembed?url=${encodeURIComponent(`${url}/embed/${feed}/${post}`)}`,
  getFeedRss: (feed) => `/feeds/${feed}/rss`,
  getFeedPodcast: (feed) => `/feeds/${feed}/podcast`,
  getHealth: 'nothing of media',
  getReadiness: 'nothing of media',
  getSignInOptions: 'nothing of media',
  beginIssuerSignIn: 'nothing of media',
  finishIssuerSignIn: 'nothing of media',
  getModule: 'nothing of media',
}

const OPEN = { MARQUEE_LIMIT_DELIVERY_PER_MINUTE: '1000000' }

test('no address of private media answers without a token of its own, and all do with one', async () => {
  const service = await composeForTest({ env: OPEN })
  const { api, url, seed } = service
  const { video, image, feed, posts, appKey } = await privateMedia(service)
  const other = await videoUploaderOf(api).upload(await clip(1))
  const stranger = await addTenant(service, 'acme')
  const strangerKey = await newSigningKey(stranger.owner, stranger.orgId, stranger.projectId)

  const { body: token } = await api.post(`/videos/${video.id as string}/playback-token`)
  const record = (await api.get(`/videos/${video.id as string}`)).body
  const { body: subtitles } = await api.get(`/videos/${video.id as string}/subtitles`)
  const { body: tracks } = await api.get(`/videos/${video.id as string}/audio-tracks`)
  const addresses = await addressesOf({ ...record, subtitles, tracks }, token.token)
  expect(addresses.length).toBeGreaterThan(15)

  const right = await appKey.sign({ sub: video.id, exp: inSeconds(60) })
  const foreign = {
    projectId: stranger.projectId,
    key: strangerKey,
    token: (await stranger.owner.post('/media/playback-token' as string, {})).body.token,
  }
  const others = [other.id, record.poster.id]
  await checkTokens(addresses, right, await wrongTokens(video.id, { key: appKey, foreign, others }))
  // What was asked for with a token is for nobody else, and no longer than the token.
  const kept = (await status(`${addresses.find((one) => one.endsWith('.m4s'))}?token=${right}`)).headers
  expect(kept.get('cache-control')).toMatch(/^private, max-age=[1-6]?\d$/)
  // What does not exist is not there, whatever is shown.
  const unknown = local(record.file.url).replace(/file_\w+/, 'file_00000000000000000000000000')
  expect((await status(`${unknown}?token=${right}`)).status).toBe(404)
  expect((await status(`${local(record.file.url)}/v9999/0.m4s?token=${right}`)).status).toBe(404)

  // An image in every size, by a token of its own.
  const { body: ofImage } = await api.post(`/images/${image.id as string}/playback-token`)
  for (const size of ['w=20', 'w=20&h=20&fit=cover', 'format=png', 'q=10']) {
    const address = `${local(image.file.url)}?${size}`
    expect((await status(address)).status).toBe(403)
    expect((await status(`${address}&token=${right}`)).status).toBe(403)
    expect((await status(`${address}&token=${ofImage.token}`)).status).toBe(200)
  }

  // Whatever everybody may read names nothing that opens without a token.
  const { operations } = await describedBy(service)
  const open = [...operations].filter(
    ([name, { security }]) => name.startsWith('GET ') && security?.length === 0,
  )
  expect(open.map(([, { operationId }]) => operationId).sort()).toEqual(Object.keys(PUBLIC).sort())
  for (const [name, address] of Object.entries(PUBLIC)) {
    if (typeof address !== 'function') continue
    for (const post of posts) {
      const response = await fetch(url + address(feed, post.id, url.replace('127.0.0.1', 'localhost')))
      const text = await response.text()
      expect([200, 403], name).toContain(response.status)
      for (const media of addressesIn(text))
        expect((await status(local(media))).status, `${name}: ${media}`).toBe(403)
      if (name === 'getPublicPost') expect(JSON.parse(text)[post.type].visibility).toBe('private')
    }
  }
  // A part of a private video is as private, poster and all.
  const clips: string = `/videos/${video.id}/clips`
  const part = (await api.post(clips, { start: 0, end: 1 })).body
  expect(part).toMatchObject({ visibility: 'private', poster: { visibility: 'private' } })
  for (const address of addressesIn(JSON.stringify(part)))
    expect((await status(local(address))).status, address).toBe(403)
  for (const path of [`/videos/${video.id}/thumbnail`, `/videos/${video.id}/storyboard.vtt`])
    expect((await fetch(url + path)).status).toBe(401)
  expect(
    (await api.as(key(stranger.publishableKey)).post(`/videos/${video.id as string}/playback-token`)).status,
  ).toBe(403)
  expect(seed.project_id).toBe(record.file.project_id)
})

test('a token’s lines bind what is made of a film that stands upright', async () => {
  const { api } = await composeForTest({ env: OPEN })
  const video = await videoUploaderOf(api).upload(await clip(1, ['-vf', 'scale=540:960,setsar=1']))
  const path: string = `/videos/${video.id}`
  await api.patch(path, { visibility: 'private' })
  const preview = async (wanted: object) => {
    const { token } = (await api.post(`${path}/playback-token`, wanted)).body
    const response = await fetch(`${local(video.file.url)}/preview.webp?w=640&end=0.5&token=${token}`)
    expect(response.status).toBe(200)
    return (await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width
  }
  expect(await preview({})).toBe(540)
  expect(await preview({ max_height: 360 })).toBeLessThanOrEqual(360)
})

test('a token is as narrow as it says', async () => {
  const service = await composeForTest({ env: OPEN })
  const { api, seed } = service
  const size = ['-vf', 'scale=1280:720']
  const video = await videoUploaderOf(api).upload(await clip(1, size))
  const path: string = `/videos/${video.id}`
  await api.patch(path, { visibility: 'private' })
  const base = local(video.file.url)
  const make = async (wanted: object) =>
    (await api.post(`${path}/playback-token`, wanted)).body.token as string

  const small = await make({ max_height: 360 })
  const whole = await (await fetch(`${base}?token=${await make({})}`)).text()
  const offered = await (await fetch(`${base}?token=${small}`)).text()
  const heights = (text: string) =>
    [...text.matchAll(/RESOLUTION=\d+x(\d+)/g)].map(([, height]) => Number(height))
  expect(Math.max(...heights(whole))).toBe(720)
  expect(Math.max(...heights(offered))).toBeLessThanOrEqual(360)
  for (const name of ['index.m3u8', 'init.mp4', '0.m4s'])
    expect(await status(`${base}/v720/${name}?token=${small}`)).toMatchObject({
      status: 403,
      details: expect.stringMatching(/360/),
    })

  const paged = await make({ origins: ['https://app.example.com'] })
  const from = (headers: Record<string, string>) => status(`${base}?token=${paged}`, headers)
  expect(await from({})).toMatchObject({ status: 403 })
  expect(await from({ origin: 'https://evil.example.com' })).toMatchObject({ status: 403 })
  expect(await from({ origin: 'https://app.example.com' })).toMatchObject({ status: 200 })
  expect(await from({ referer: 'https://app.example.com/watch?v=1' })).toMatchObject({ status: 200 })

  // A key that is gone opens nothing.
  const appKey = await newSigningKey(api, seed.org_id, seed.project_id)
  const signed = await appKey.sign({ sub: video.id, exp: inSeconds(60) })
  expect(await status(`${base}?token=${signed}`)).toMatchObject({ status: 200 })
  const keys: string = `/organizations/${seed.org_id}/signing-keys/v1`
  expect((await api.get(keys)).body.data).toMatchObject([{ id: appKey.id, project_id: seed.project_id }])
  expect(JSON.stringify((await api.get(keys)).body)).not.toContain('PRIVATE')
  expect((await api.delete(`${keys}/${appKey.id}`)).status).toBe(204)
  expect(await status(`${base}?token=${signed}`)).toMatchObject({
    status: 403,
    details: expect.stringMatching(/no more/),
  })
  const audited = (
    await service.sql`select action from audit_entries where resource = ${appKey.id} order by seq`
  ).map(({ action }) => action)
  expect(audited).toEqual(['signing_key.created', 'signing_key.deleted'])
})

test('what is made private is private for every request from then on, however many there are', async () => {
  const service = await composeForTest({ env: OPEN })
  const { api } = service
  const video = await videoUploaderOf(api).upload(await clip(2))
  const path: string = `/videos/${video.id}`
  const base = local(video.file.url)
  const watched = [base, `${base}/v90/index.m3u8`, `${base}/v90/0.m4s`, local(video.poster.file.url)]
  for (let round = 0; round < (process.env.MARQUEE_TEST_LONG ? 50 : 2); round++) {
    const load = await readAllTheTime(() => watched)
    expect((await api.patch(path, { visibility: 'private' })).status).toBe(200)
    load.closed()
    // A poster that comes meanwhile is as private as its video.
    await formsOf(service).put(`${path}/thumbnail`, [
      'thumbnail',
      { name: 'p.jpg', content: await smallJpeg() },
    ])
    const { poster } = (await api.get(path)).body
    expect(poster.visibility).toBe('private')
    expect((await status(local(poster.file.url))).status).toBe(403)
    watched[3] = local(poster.file.url)
    // An older poster is gone.
    expect((await load.leaks()).filter((leak) => !leak.endsWith('404'))).toEqual([])
    expect((await api.patch(path, { visibility: 'public' })).body.poster.visibility).toBe('public')
    for (const address of watched) expect((await status(address)).status).toBe(200)
  }
})
