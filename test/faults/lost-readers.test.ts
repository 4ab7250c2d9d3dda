import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readQuickstart } from '../../server/start/quickstart.ts'
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
  const { base_url } = readQuickstart(dataDir)!
  const ready = async () =>
    (await fetch(`${base_url.replace('localhost', '127.0.0.1')}/readyz`).catch(() => undefined))?.status ===
    200
  expect(await ready()).toBe(true)
  // Something to complain of: its database dies and is started again.
  process.kill(Number(readFileSync(`${dataDir}/postgres/postmaster.pid`, 'utf8').split('\n')[0]), 'SIGKILL')
  while (await ready()) await sleep(20)
  while (!(await ready())) await sleep(50)
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
  discard(dataDir)
})
