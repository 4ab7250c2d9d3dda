import { spawn } from 'node:child_process'
import path from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { keepsSilent, says, scriptedServer } from '../support/scripted-server.ts'
import { collect, emptyDataDir, root } from '../support/service.ts'

/** As a developer types it, in a folder that has nothing to do with the service. */
function listen(url: string, key: string, ...args: string[]) {
  const main = path.join(root, 'server/cli/main.ts')
  const child = spawn(process.execPath, [main, 'webhooks', 'listen', ...args], {
    env: {
      PATH: process.env.PATH,
      MARQUEE_DATA_DIR: emptyDataDir(),
      MARQUEE_BASE_URL: url,
      MARQUEE_API_KEY: key,
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.once('exit', (code, signal) => resolve([code, signal])),
  )
  return { output: collect(child), interrupt: () => child.kill('SIGINT'), ended }
}

test('what happens comes to the address of a developer with its signature, until Ctrl-C', async () => {
  const { url, api, seed } = await composeForTest()
  const receiver = await scriptedServer(says(204), keepsSilent)
  const hook = `${receiver.url}/hook`
  const listening = listen(url, seed.api_key, '--to', hook, '--kinds', 'image.ready')
  await expect.poll(listening.output, { timeout: 30_000 }).toContain('Signed with')
  const { body: image } = await uploaderOf(api).upload(await smallJpeg())
  await expect.poll(listening.output, { timeout: 10_000 }).toMatch(/ image\.ready {2}msg_\w+ {2}204\n/)
  expect(listening.output()).toContain(`Passing on image.ready that happens to ${hook}\n`)
  const [{ method, url: at, headers, body }] = receiver.heard as [(typeof receiver.heard)[0]]
  expect([method, at]).toEqual(['POST', '/hook'])
  const id = / (msg_\w+) /.exec(listening.output())![1]
  expect(headers).toMatchObject({ 'webhook-id': id, 'webhook-timestamp': expect.stringMatching(/^\d+$/) })
  const secret = /whsec_\S+/.exec(listening.output())![0]
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: 'image.ready',
    data: { image_id: image.id },
  })

  // One that is being passed on, to somebody who never answers, holds nothing up.
  await uploaderOf(api).upload(await smallJpeg())
  await expect.poll(() => receiver.heard.length).toBe(2)
  const before = listening.output()
  listening.interrupt()
  expect(await listening.ended).toEqual([0, null])
  expect(listening.output()).toBe(before)
})
