import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readQuickstart } from '../../server/quickstart.ts'
import { discard, freshDataDir, launch } from '../support/service.ts'

test('a service whose output nobody reads any more goes on, and ends when it is told to', async () => {
  const dataDir = freshDataDir()
  const child = launch(dataDir)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await new Promise<void>((resolve) => {
    let output = ''
    child.stdout!.on('data', (chunk) => {
      output += chunk
      if (output.includes('Docs ')) resolve()
    })
  })
  child.stdout!.destroy()
  child.stderr!.destroy()
  const { base_url: url } = readQuickstart(dataDir)!
  for (let i = 0; i < 20; i++) {
    expect((await fetch(`${url.replace('localhost', '127.0.0.1')}/readyz`)).status).toBe(200)
    await sleep(50)
  }
  child.kill('SIGTERM')
  // What it complains of while it stops reaches nobody, and keeps it from nothing.
  child.kill('SIGHUP')
  expect(await exited).toBe(0)
  discard(dataDir)
})
