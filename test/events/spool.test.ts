import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openSpool } from '../../server/platform/events/spool/open-spool.ts'
import { type Spool, SpoolFull } from '../../server/platform/events/spool/port.ts'

const LARGE = { segmentBytes: 2 ** 30 }
const KILLS = process.env.MARQUEE_TEST_LONG ? 50 : 5

function freshFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-spool-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return path.join(folder, 'spool')
}

async function linesOf(spool: Spool): Promise<string[]> {
  const all = (await spool.segments()).map(({ path: file }) => readFileSync(file, 'utf8'))
  return all.join('').split('\n').slice(0, -1)
}

test('what was appended is there after sealing, in the order in which it came', async () => {
  const spool = await openSpool(freshFolder(), LARGE)
  await spool.seal()
  expect(await spool.segments()).toEqual([])
  await Promise.all(Array.from({ length: 100 }, (_, i) => spool.append([`a${i}`, `b${i}`])))
  expect(await spool.segments()).toEqual([])
  await spool.seal()
  await spool.append(['last'])
  await spool.close()
  const expected = Array.from({ length: 100 }, (_, i) => [`a${i}`, `b${i}`]).flat()
  expect(await linesOf(spool)).toEqual([...expected, 'last'])
  const numbers = (await spool.segments()).map(({ number }) => number)
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  expect(numbers).toHaveLength(2)
})

test('an append that came before a seal is in the sealed segment', async () => {
  const spool = await openSpool(freshFolder(), LARGE)
  const appended = spool.append(['one'])
  await spool.seal()
  await appended
  expect(await linesOf(spool)).toEqual(['one'])
  await spool.close()
})

test('large segments are sealed by themselves', async () => {
  const spool = await openSpool(freshFolder(), { segmentBytes: 1000 })
  for (let i = 0; i < 20; i++) await spool.append(['x'.repeat(499)])
  await spool.close()
  const segments = await spool.segments()
  expect(segments.map(({ bytes }) => bytes)).toEqual(Array(10).fill(1000))
})

test('removed segments are gone, and their numbers are not used again', async () => {
  const folder = freshFolder()
  const first = await openSpool(folder, LARGE)
  await first.append(['one'])
  await first.close()
  const [segment] = await first.segments()
  await first.remove(segment!.number)
  expect(await first.segments()).toEqual([])
  const second = await openSpool(folder, LARGE)
  await second.append(['two'])
  await second.close()
  expect((await second.segments())[0]!.number).toBeGreaterThan(segment!.number)
})

test('a line that was cut off is dropped, whatever its length', async () => {
  const open = '0000000000000001.ndjson.open'
  for (const cutOff of ['', '{', 'x'.repeat(200_000)]) {
    const folder = freshFolder()
    mkdirSync(folder)
    writeFileSync(path.join(folder, open), `one\ntwo\n${cutOff}`)
    const spool = await openSpool(folder, LARGE)
    expect(await linesOf(spool)).toEqual(['one', 'two'])
    await spool.close()
  }
  const folder = freshFolder()
  mkdirSync(folder)
  writeFileSync(path.join(folder, open), 'nothing whole')
  const spool = await openSpool(folder, LARGE)
  expect(readdirSync(folder)).toEqual([])
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
  const spool = await openSpool(folder, LARGE)
  const counts = new Map<string, number>()
  for (const line of await linesOf(spool)) {
    const { name } = JSON.parse(line)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  await spool.close()
  expect(taken.length).toBeGreaterThan(KILLS)
  for (const name of taken) expect(counts.get(name), name).toBe(2)
})

test.skipIf(process.getuid!() !== 0)('a full disk refuses, and keeps what it has', async () => {
  const folder = freshFolder()
  execFileSync('mkdir', ['-p', folder])
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'marquee-test', folder])
  onTestFinished(() => void execFileSync('umount', [folder]))
  const spool = await openSpool(folder, LARGE)
  await spool.append(['first'])
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) => spool.append([String(i).repeat(100_000)])),
  )
  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const one of refused) expect((one as PromiseRejectedResult).reason).toBeInstanceOf(SpoolFull)
  await spool.append(['after'])
  await spool.close()
  const lines = await linesOf(spool)
  const kept = results.flatMap(({ status }, i) => (status === 'fulfilled' ? [String(i).repeat(100_000)] : []))
  expect(lines).toEqual(['first', ...kept, 'after'])
  expect(existsSync(folder)).toBe(true)
})
