import { expect, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { clip, videoUploaderOf } from '../support/video.ts'
import { type Described, describedBy } from './description.ts'

interface Call {
  operation: string
  status: number
  url: string
  init?: RequestInit
}

const RANGE = { range: 'bytes=0-9' }
const NEVER = { range: 'bytes=99999999-' }

/** Who may be told that nothing has changed, and who that something has. */
const conditional = (etag: string) => ({ 'if-none-match': etag })
const SENT_TO_ALL = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit', 'Retry-After', 'Content-Range']

/** Operations whose answers have headers that not all of their kind have. */
function withOwnHeaders(operations: Iterable<Described>): string[] {
  return [...operations]
    .filter(({ responses }) =>
      Object.entries(responses).some(
        ([status, { headers = {} }]) =>
          status < '400' && Object.keys(headers).some((name) => !SENT_TO_ALL.includes(name)),
      ),
    )
    .map(({ operationId }) => operationId)
}

test('what the description says of headers is what comes', async () => {
  const service = await composeForTest()
  const { url, api, seed, sql } = service
  const { body, operations } = await describedBy(service)
  const headers = key(seed.api_key)

  const begun = (await api.post('/images/upload/init', { file_name: 'photo.jpg' })).body
  const picture = new Uint8Array(await scene(64, 40).jpeg().toBuffer())
  const target = local(begun.presigned_url)
  const tus = { 'tus-resumable': '1.0.0' }
  const chunk = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  const sent: Call[] = [
    {
      operation: 'createResumableUpload',
      status: 201,
      url: target,
      init: { method: 'POST', headers: { ...tus, 'upload-length': String(picture.length) } },
    },
    {
      operation: 'appendToUpload',
      status: 204,
      url: target,
      init: { method: 'PATCH', headers: chunk, body: picture },
    },
    { operation: 'headUpload', status: 200, url: target, init: { method: 'HEAD', headers: tus } },
    { operation: 'uploadFile', status: 200, url: target, init: { method: 'PUT', body: picture } },
    { operation: 'headUpload', status: 200, url: target, init: { method: 'HEAD' } },
    { operation: 'headUpload', status: 403, url: `${target}0`, init: { method: 'HEAD' } },
  ]
  const seen = new Set<string>()
  const checked = new Set<string>()

  async function check({ operation, status, url: address, init }: Call): Promise<Response> {
    const response = await fetch(address, init)
    await response.arrayBuffer()
    const label = `${operation} ${status}`
    expect(response.status, label).toBe(status)
    const described = [...operations.values()].find(({ operationId }) => operationId === operation)!
    for (const name of Object.keys(described.responses[status]!.headers!)) {
      expect(response.headers.get(name), `${label} ${name}`).toBeTruthy()
      seen.add(name)
    }
    checked.add(operation)
    return response
  }

  for (const call of sent) await check(call)
  const image = (await api.post('/images/upload/complete', { image_id: begun.image_id })).body
  const { id: feed } = (await api.post('/feeds', { name: 'news', visibility: 'public' })).body
  const added = await api.post(`/feeds/${feed}/content`, { content_ids: [image.id], content_type: 'image' })
  const { id: post } = added.body.data[0]
  const video = await videoUploaderOf(api).upload(await clip(1))
  // What is still being made changes what was delivered a moment ago.
  await expect.poll(() => sql`select from jobs`).toHaveLength(0)

  const readable: Record<string, string> = {
    listFeedPosts: `/feeds/${feed}`,
    listCreatorPosts: `/feeds/${feed}/creators/ada`,
    getFeedPost: `/feeds/${feed}/${post}`,
    getPublicPost: `/posts/v1/feeds/${feed}/${post}`,
    listPublicPosts: `/posts/v1/feeds/${feed}`,
    getEmbed: `/embed/${feed}/${post}`,
    getFeedEmbed: `/embed/${feed}`,
    getFeedRss: `/feeds/${feed}/rss`,
    getFeedPodcast: `/feeds/${feed}/podcast`,
    getModule: '/sdk/client/index.js',
  }
  for (const [operation, path] of Object.entries(readable)) {
    const first = await check({ operation, status: 200, url: url + path, init: { headers } })
    const kept = { headers: { ...headers, ...conditional(first.headers.get('etag')!) } }
    await check({ operation, status: 304, url: url + path, init: kept })
    await check({
      operation,
      status: 412,
      url: url + path,
      init: { headers: { ...headers, 'if-match': '"x"' } },
    })
  }

  const delivered: Record<string, string> = {
    File: local(image.file.url),
    Asset: `${local(video.file.url)}/master.m3u8`,
    Thumbnail: `${url}/videos/${video.id}/thumbnail`,
    Download: `${local(video.file.url)}/download.mp4`,
    WholeSound: `${local(video.file.url)}/audio.m4a`,
    WebpPreview: `${local(video.file.url)}/preview.webp`,
    AvifPreview: `${local(video.file.url)}/preview.avif`,
  }
  for (const [noun, address] of Object.entries(delivered)) {
    const get = (status: number, more: Record<string, string> = {}) =>
      check({ operation: `get${noun}`, status, url: address, init: { headers: { ...headers, ...more } } })
    const { headers: first } = await get(200)
    await get(206, RANGE)
    await get(304, conditional(first.get('etag')!))
    await get(416, NEVER)
    await check({ operation: `head${noun}`, status: 200, url: address, init: { method: 'HEAD', headers } })
  }

  const page = encodeURIComponent(`${url.replace('127.0.0.1', 'localhost')}/embed/${feed}/${post}`)
  await check({ operation: 'getOembed', status: 200, url: `${url}/oembed?url=${page}` })
  const module = `${url}/sdk/client/index.js`
  await check({ operation: 'headModule', status: 200, url: module, init: { method: 'HEAD' } })
  const openId = `${url}/auth/v1/browser/openid/none`
  const manual = { redirect: 'manual' } as const
  await check({ operation: 'beginIssuerSignIn', status: 302, url: openId, init: manual })
  await check({ operation: 'finishIssuerSignIn', status: 302, url: `${openId}/callback`, init: manual })
  await check({ operation: 'getHealth', status: 200, url: `${url}/healthz` })
  await check({ operation: 'getCurrentProject', status: 200, url: `${url}/project`, init: { headers } })
  await check({ operation: 'getCurrentProject', status: 401, url: `${url}/project` })
  await check({ operation: 'getVideo', status: 400, url: `${url}/videos/none`, init: { headers } })
  const login = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
  await check({ operation: 'loginUser', status: 400, url: `${url}/auth/v1/login`, init: login })

  expect(withOwnHeaders(operations.values()).filter((operation) => !checked.has(operation))).toEqual([])
  expect(Object.keys(body.components.headers).filter((name) => !seen.has(name))).toEqual(['Retry-After'])
})

test('who is to wait is told for how long, as the description says', async () => {
  const service = await composeForTest({ env: { MARQUEE_LIMIT_KEY_PER_MINUTE: '1' } })
  const { operations } = await describedBy(service)
  await service.api.get('/project')
  const { status, headers } = await service.api.get('/project')
  expect(status).toBe(429)
  for (const name of Object.keys(operations.get('GET /project')!.responses[429]!.headers!))
    expect(headers.get(name), name).toBeTruthy()
  expect(headers.get('retry-after')).toMatch(/^\d+$/)
  for (const [name, { responses }] of operations)
    for (const wait of ['429', '503'])
      if (responses[wait]) expect(responses[wait].headers, `${name} ${wait}`).toHaveProperty('Retry-After')
})
