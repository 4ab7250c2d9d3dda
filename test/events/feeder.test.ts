import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openDuckDb } from '../../server/platform/events/duckdb/open-duckdb.ts'
import { EventsUnavailable } from '../../server/platform/events/errors.ts'
import { startFeeder } from '../../server/platform/events/feeder.ts'
import type { Chunk, EventEngine } from '../../server/platform/events/port.ts'
import { openSpool } from '../../server/platform/events/spool/open-spool.ts'
import { readPiece } from '../../server/platform/events/spool/read-piece.ts'
import { duckDbOf } from '../support/events.ts'
import { EVER, lineOf, newOrganization, sealed } from './engine-contract/spooled.ts'

const ORGANIZATION = newOrganization()
const lineBy = (viewer: string) =>
  sealed(
    lineOf(ORGANIZATION, { viewer, events: [{ kind: 'error', time: 1_700_000_000_000_000, fields: {} }] }),
  )
const POISON = lineBy('poison')

/**
 * A spool with a poisonous line behind another one, fed to DuckDB, whose process ends by a signal in the middle of
 * every load of that line, as often as is said.
 */
async function feed(signal: NodeJS.Signals, times: number) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-feeder-'))
  const spool = await openSpool(path.join(folder, 'spool'), {
    segmentBytes: 2 ** 20,
    segmentSeconds: 3600,
    maxBytes: 2 ** 24,
  })
  for (const line of [lineBy('ann'), POISON, lineBy('bob')]) await spool.append(line)
  const duckDb = openDuckDb({
    file: path.join(folder, 'events.duckdb'),
    memoryBytes: 2 ** 28,
    threads: 1,
    onTrouble: () => {},
  })
  /** How many lines each load that ended the process was asked for. */
  const ended: Chunk['lines'][] = []
  const messages: string[] = []
  const engine: EventEngine = {
    ...duckDb,
    async load(chunk) {
      const { lines } = await readPiece(chunk)
      if (ended.length === times || !lines.some(({ bytes }) => bytes.equals(Buffer.from(POISON))))
        return duckDb.load(chunk)
      ended.push(chunk.lines)
      const child = duckDbOf({ pid: process.pid })!
      // It stands still, so that it cannot be done before it ends.
      process.kill(child, 'SIGSTOP')
      const loading = duckDb.load(chunk)
      process.kill(child, signal)
      process.kill(child, 'SIGCONT')
      return loading
    },
  }
  const feeder = startFeeder(spool, engine, {
    seconds: 3600,
    keepSeconds: 3600,
    keepBytes: 2 ** 24,
    aside: path.join(folder, 'rejected'),
    onTrouble: () => {},
    onSetAside: (message) => messages.push(message),
  })
  onTestFinished(async () => {
    await feeder.close()
    await spool.close()
    await duckDb.close()
    rmSync(folder, { recursive: true, force: true })
  })
  for (;;) {
    const outcome = await feeder.flush().catch((error) => error)
    if (outcome === undefined) break
    expect(outcome).toBeInstanceOf(EventsUnavailable)
    await sleep(50)
  }
  const { viewers } = await engine.realtime({ organization: ORGANIZATION }, EVER)
  return { ended, messages, viewers }
}

test('a line over which the engine crashes again and again is put aside, and what follows it is loaded', {
  timeout: 300_000,
}, async () => {
  const { ended, messages, viewers } = await feed('SIGSEGV', Number.POSITIVE_INFINITY)
  // Fewer and fewer lines until the one before it is loaded; then it is the first, and is tried alone three times.
  expect(ended).toEqual([undefined, 100, 10, undefined, 100, 10, 1, 1, 1])
  expect(messages).toHaveLength(1)
  const [, file] = /cannot be loaded: the engine crashes over it\. They were put aside as (.+)\.$/.exec(
    messages[0]!,
  )!
  expect(readFileSync(file!, 'utf8')).toBe(POISON)
  expect(viewers).toBe(2)
})

test('an engine that others kill again and again puts no line aside', { timeout: 300_000 }, async () => {
  const { ended, messages, viewers } = await feed('SIGKILL', 10)
  expect(ended).toEqual(Array(10).fill(undefined))
  expect(messages).toEqual([])
  expect(viewers).toBe(3)
})
