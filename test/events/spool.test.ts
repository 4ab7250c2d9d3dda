import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { EventsFull } from '../../server/platform/events/errors.ts'
import { openSpool, type SpoolOptions } from '../../server/platform/events/spool/open-spool.ts'
import type { Spool } from '../../server/platform/events/spool/port.ts'

const ROOMY: SpoolOptions = { segmentBytes: 2 ** 30, segmentSeconds: 3600, maxBytes: 2 ** 40 }
const KILLS = process.env.MARQUEE_TEST_LONG ? 50 : 2

function freshFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-spool-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return path.join(folder, 'spool')
}

function linesOf(spool: Spool): string[] {
  const all = spool.segments().map(({ path: file, bytes }) => readFileSync(file).subarray(0, bytes))
  return Buffer.concat(all).toString().split('\n').slice(0, -1)
}

test('what was appended is there, in the order in which it came, also for the next process', async () => {
  const folder = freshFolder()
  const spool = await openSpool(folder, ROOMY)
  expect(spool.end()).toBeUndefined()
  const lines = Array.from({ length: 100 }, (_, i) => `line ${i}`)
  await Promise.all(lines.map((line) => spool.append(line)))
  expect(linesOf(spool)).toEqual(lines)
  const [only, another] = spool.segments()
  expect(another).toBeUndefined()
  expect(spool.end()).toEqual({ segment: only!.number, offset: only!.bytes })
  await spool.close()

  const next = await openSpool(folder, ROOMY)
  expect(next.id).toBe(spool.id)
  expect(next.end()).toEqual(spool.end())
  await next.append('last')
  await next.close()
  expect(linesOf(next)).toEqual([...lines, 'last'])
  expect(next.segments()).toHaveLength(2)
  expect(next.end()!.segment).toBeGreaterThan(spool.end()!.segment)
})

test('a segment that has grown large or old is followed by a new one', async () => {
  const bySize = await openSpool(freshFolder(), { ...ROOMY, segmentBytes: 1000 })
  for (let i = 0; i < 20; i++) await bySize.append('x'.repeat(499))
  await bySize.close()
  expect(bySize.segments().map(({ bytes }) => bytes)).toEqual(Array(10).fill(1000))

  const byAge = await openSpool(freshFolder(), { ...ROOMY, segmentSeconds: 0 })
  for (const line of ['one', 'two']) await byAge.append(line)
  await byAge.close()
  expect(byAge.segments()).toHaveLength(2)
})

test('removed segments are gone, and their numbers are not used again', async () => {
  const folder = freshFolder()
  const first = await openSpool(folder, ROOMY)
  await first.append('one')
  const [segment] = first.segments()
  await first.remove(segment!.number)
  expect(linesOf(first), 'while it is being written').toEqual(['one'])
  await first.close()

  const second = await openSpool(folder, ROOMY)
  await second.append('two')
  await second.remove(segment!.number)
  await second.close()
  expect(linesOf(second)).toEqual(['two'])
  expect(existsSync(segment!.path)).toBe(false)
  expect(second.segments()[0]!.number).toBeGreaterThan(segment!.number)
})

test('a spool does not grow over its limit, and takes again once there is room', async () => {
  const spool = await openSpool(freshFolder(), { ...ROOMY, segmentBytes: 100, maxBytes: 250 })
  for (const line of ['a', 'b']) await spool.append(line.repeat(99))
  await expect(spool.append('c'.repeat(99))).rejects.toThrow(EventsFull)
  await spool.append('d'.repeat(49))
  await spool.remove(spool.segments()[0]!.number)
  await spool.append('e'.repeat(99))
  await spool.close()
  expect(linesOf(spool)).toEqual(['b'.repeat(99), 'd'.repeat(49), 'e'.repeat(99)])
})

test('a line that was cut off is dropped, whatever its length', async () => {
  const name = '0000000000000001.ndjson'
  for (const cutOff of ['', '{', 'x'.repeat(200_000)]) {
    const folder = freshFolder()
    mkdirSync(folder)
    writeFileSync(path.join(folder, name), `one\ntwo\n${cutOff}`)
    const spool = await openSpool(folder, ROOMY)
    expect(linesOf(spool)).toEqual(['one', 'two'])
    expect(spool.end()).toEqual({ segment: 1, offset: 8 })
    await spool.close()
  }
  const folder = freshFolder()
  mkdirSync(folder)
  writeFileSync(path.join(folder, name), 'nothing whole')
  const spool = await openSpool(folder, ROOMY)
  expect(readdirSync(folder)).toEqual(['id'])
  expect(spool.end()).toBeUndefined()
  await spool.close()
})

test(`kill -9 in the middle, ${KILLS} times: what was said to be taken is there once`, async () => {
  const folder = freshFolder()
  const taken: string[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const script = path.join(import.meta.dirname, 'append-until-killed.ts')
    const child = spawn(process.execPath, [script, folder, String(kill)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    while (!output) await sleep(10)
    await sleep(Math.random() * 300)
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGKILL')
    await ended
    taken.push(...output.split('\n').slice(0, -1))
  }
  const spool = await openSpool(folder, ROOMY)
  const counts = new Map<string, number>()
  for (const line of linesOf(spool)) {
    const { name } = JSON.parse(line)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  await spool.close()
  expect(taken.length).toBeGreaterThanOrEqual(KILLS)
  for (const name of taken) expect(counts.get(name), name).toBe(1)
})

test.skipIf(process.getuid!() !== 0)('a full disk refuses, and keeps what it has', async () => {
  const folder = freshFolder()
  execFileSync('mkdir', ['-p', folder])
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'marquee-test', folder])
  onTestFinished(() => void execFileSync('umount', [folder]))
  const spool = await openSpool(folder, ROOMY)
  await spool.append('first')
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) => spool.append(String(i).repeat(100_000))),
  )
  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const one of refused) expect((one as PromiseRejectedResult).reason).toBeInstanceOf(EventsFull)
  await spool.append('after')
  await spool.close()
  const lines = linesOf(spool)
  const kept = results.flatMap(({ status }, i) => (status === 'fulfilled' ? [String(i).repeat(100_000)] : []))
  expect(lines).toEqual(['first', ...kept, 'after'])
  expect(existsSync(folder)).toBe(true)
})
