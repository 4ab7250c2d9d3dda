import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { duckDbOf } from '../support/events.ts'
import { ENDLESS, makeEndless, openEndless } from './endless-events.ts'
import { describeInterrupts } from './interrupted.contract.ts'

/** One that has ended may wait for somebody to take note of it. */
function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
}

/** How long the process has computed, in hundredths of a second. */
function computed(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ')
  return Number(fields[11]) + Number(fields[12])
}

async function isBusy(pid: number): Promise<boolean> {
  const before = computed(pid)
  await sleep(300)
  return computed(pid) - before >= 5
}

async function endlessFile() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-duckdb-'))
  const file = path.join(folder, 'events.duckdb')
  await makeEndless(file)
  return { file, remove: () => rm(folder, { recursive: true, force: true }) }
}

describeInterrupts('DuckDB', async () => {
  const { file, remove } = await endlessFile()
  const engine = await openEndless(file)
  const child = duckDbOf({ pid: process.pid })!
  return {
    engine,
    scope: ENDLESS,
    isBusy: () => isBusy(child),
    async cleanUp() {
      process.kill(child, 'SIGKILL')
      await remove()
    },
  }
})

test('a report that runs when the service is killed does not outlive it', async () => {
  const { file, remove } = await endlessFile()
  onTestFinished(remove)
  const script = path.join(import.meta.dirname, 'report-until-killed.ts')
  const service = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(service.stdout, 'data')
  const child = duckDbOf({ pid: service.pid! })!
  onTestFinished(() => {
    if (isAlive(child)) process.kill(child, 'SIGKILL')
  })
  await expect.poll(() => isBusy(child)).toBe(true)
  service.kill('SIGKILL')
  await expect.poll(() => isAlive(child)).toBe(false)
})
