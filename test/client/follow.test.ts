import { expect, test } from 'vitest'
import { attempt, createClient, follow, type Schemas, uploads } from '../../packages/client/src/index.ts'
import { cuttingProxy } from '../support/cutting-proxy.ts'
import { composeForTest } from '../support/in-process.ts'
import { hangsUp, says, scriptedServer } from '../support/scripted-server.ts'
import { clip } from '../support/video.ts'

type Progress = Schemas['VideoProgress']

async function collect(progress: AsyncIterable<Progress>): Promise<Progress[]> {
  const all: Progress[] = []
  for await (const one of progress) all.push(one)
  return all
}

test('a video is followed until it is complete, over a connection that is cut', async () => {
  const { url, seed } = await composeForTest()
  const proxy = await cuttingProxy(url, { afterText: 'event: progress' })
  const client = createClient({ url: proxy.url, apiKey: seed.api_key })
  const film = new File([new Uint8Array(await clip(8))], 'film.mp4')
  const made = await uploads(client)(film).done
  const videoId = made.kind === 'video' ? made.video.id : ''
  const all = await collect(follow(client, videoId))
  expect(proxy.cuts).toHaveLength(1)
  expect(all.length).toBeGreaterThan(1)
  expect(all.slice(0, -1).every(({ status }) => status === 'processing')).toBe(true)
  expect(all.at(-1)).toMatchObject({ video_id: videoId, status: 'complete', percent: 100 })
  expect((await client.get('/videos/{videoId}/thumbnail', { path: { videoId } })).type).toMatch(/^image/)
  expect(await client.get('/videos/{videoId}/storyboard.vtt', { path: { videoId } })).toMatch(/^WEBVTT/)
})

const event = (percent: number, status = 'processing') =>
  `event: progress\ndata: ${JSON.stringify({ video_id: 'vid_1', status, percent, renditions: [] })}\n\n`

test('what was told before a cut is not told again', async () => {
  const events = (...texts: string[]) => ({ texts })
  const connections = [
    events(event(10), event(20).slice(0, 30)),
    events(event(10), event(50)),
    events(event(50), event(100, 'complete')),
  ]
  const server = await scriptedServer(
    ...connections.map(({ texts }) => (response: import('node:http').ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const text of texts) response.write(text)
      setTimeout(() => response.destroy(), 20)
    }),
  )
  const all = await collect(follow(createClient({ url: server.url }), 'vid_1'))
  expect(all.map(({ percent }) => percent)).toEqual([10, 50, 100])
  expect(server.heard).toHaveLength(3)
  expect(server.heard[0]!.headers.accept).toBe('text/event-stream')
})

test('an outage that outlasts the tries of other calls is waited for, and a refusal ends it', async () => {
  const stream =
    (...texts: string[]) =>
    (response: import('node:http').ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(texts.join(''))
    }
  const away = [hangsUp, says(503), hangsUp, says(502), hangsUp]
  const server = await scriptedServer(stream(event(10)), ...away, stream(event(100, 'complete')))
  const all = await collect(follow(createClient({ url: server.url }), 'vid_1'))
  expect(all.map(({ percent }) => percent)).toEqual([10, 100])
  expect(server.heard).toHaveLength(2 + away.length)

  const refusing = await scriptedServer(stream(event(10)), hangsUp, says(404, { code: 404, error: 'gone' }))
  const { error } = await attempt(collect(follow(createClient({ url: refusing.url }), 'vid_1')))
  expect(error).toMatchObject({ status: 404 })
  expect(refusing.heard).toHaveLength(3)
})

test('whoever stops listening ends the connection, and a signal ends the wait', async () => {
  let closed = 0
  const server = await scriptedServer((response) => {
    response.on('close', () => closed++)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event(10))
  })
  const client = createClient({ url: server.url })
  for await (const _ of follow(client, 'vid_1')) break
  await expect.poll(() => closed).toBe(1)

  const leaving = new AbortController()
  const following = collect(follow(client, 'vid_1', { signal: leaving.signal }))
  await expect.poll(() => server.heard.length).toBe(2)
  leaving.abort(new Error('left the page'))
  await expect(following).rejects.toThrow('left the page')
  await expect.poll(() => closed).toBe(2)
})

test('a video that is not there is a refusal', async () => {
  const { url, seed } = await composeForTest()
  const client = createClient({ url, apiKey: seed.api_key })
  const { error } = await attempt(collect(follow(client, 'vid_00000000000000000000000000')))
  expect(error).toMatchObject({ status: 404 })
})
