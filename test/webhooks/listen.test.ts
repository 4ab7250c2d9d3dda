import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../server/cli/listen.ts'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { says, scriptedServer } from '../support/scripted-server.ts'

test('what happens is passed on to an address of the developer, signed, from when they listen on', async () => {
  const { url, api, seed } = await composeForTest()
  await uploaderOf(api).upload(await smallJpeg())
  const untold = async () => (await api.get('/webhooks/v1/messages')).body.next_cursor
  await expect.poll(untold).not.toBe('0')
  const receiver = await scriptedServer(says(204))
  const lines: string[] = []
  const ended = new AbortController()
  onTestFinished(() => ended.abort())
  const listening = listen({
    url,
    key: seed.api_key,
    to: `${receiver.url}/hook`,
    kinds: ['image.ready'],
    secret: undefined,
    print: (line) => lines.push(line),
    signal: ended.signal,
  })
  await expect.poll(() => lines.length).toBe(2)
  const { body: image } = await uploaderOf(api).upload(await smallJpeg())
  await api.delete(`/images/${image.id}`)
  await expect.poll(() => receiver.heard.length).toBe(1)
  await expect.poll(() => lines.at(-1)).toMatch(/ image\.ready {2}msg_\w+ {2}204$/)
  const secret = /whsec_\S+/.exec(lines[1]!)![0]
  const { body, headers } = receiver.heard[0]!
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: 'image.ready',
    data: { image_id: image.id },
  })
  ended.abort()
  await listening
  await expect(
    listen({
      url,
      key: 'mq_sk_wrong',
      to: 'nowhere',
      kinds: [],
      secret,
      print: () => {},
      signal: ended.signal,
    }),
  ).rejects.toThrow('is not an address such as')
})
