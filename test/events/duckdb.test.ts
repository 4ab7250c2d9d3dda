import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDuckDb } from '../../server/platform/events/duckdb/open-duckdb.ts'
import type { StoredEvent } from '../../server/platform/events/line.ts'
import type { EventEngine } from '../../server/platform/events/port.ts'
import { describeEngine } from './engine.contract.ts'
import { EVER, lineOf, loadAll, makeSpool, newOrganization, sealed } from './engine-contract/spooled.ts'

function open(memoryBytes: number) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-duckdb-'))
  const engine = openDuckDb({
    file: path.join(folder, 'events.duckdb'),
    memoryBytes,
    threads: 2,
    onTrouble: (message) => {
      throw new Error(message)
    },
  })
  return { engine, cleanUp: async () => rmSync(folder, { recursive: true, force: true }) }
}

function openForTest(memoryBytes: number): EventEngine {
  const { engine, cleanUp } = open(memoryBytes)
  onTestFinished(async () => {
    await engine.close()
    await cleanUp()
  })
  return engine
}

describeEngine('DuckDB', async () => open(2 ** 29))

const errors = (times: number, part: Partial<StoredEvent> = {}) =>
  Array.from({ length: times }, (_, i) => ({ kind: 'error' as const, time: 1000 + i, fields: {}, ...part }))

const countIn = async (engine: EventEngine, organization: string) =>
  (await engine.realtime({ organization }, EVER)).kinds.reduce((sum, { count }) => sum + count, 0)

test('a line that DuckDB refuses is found among good ones, and put aside alone', async () => {
  const engine = openForTest(2 ** 29)
  const [organization, spool] = [newOrganization(), await makeSpool()]
  onTestFinished(() => spool.remove())
  const lines = Array.from({ length: 20 }, () => sealed(lineOf(organization, { events: errors(3) })))
  const refused = sealed(lineOf(organization, { events: errors(1, { kind: 'nonsense' as 'error' }) }))
  const chunk = await spool.writeRaw([...lines.slice(0, 13), refused, ...lines.slice(13)])
  const { aside } = await loadAll(engine, chunk)
  expect(aside).toHaveLength(1)
  expect(aside[0]!.reason).toContain('nonsense')
  expect(await countIn(engine, organization)).toBe(60)
})

test('with little memory, what does not fit is loaded in smaller pieces or put aside, and the rest is there', async () => {
  const engine = openForTest(2 ** 27)
  const [organization, spool] = [newOrganization(), await makeSpool()]
  onTestFinished(() => spool.remove())
  const places = Array.from({ length: 500 }, (_, i) => i)
  const large = { kind: 'content_view' as const, segment_starts: places, segment_ends: places }
  const other = newOrganization()
  const poison = sealed(lineOf(other, { events: errors(1000, large) }))
  const good = () => sealed(lineOf(organization, { events: errors(5) }))
  const chunk = await spool.writeRaw([good(), poison, poison, good(), poison, good()])
  const { aside } = await loadAll(engine, chunk)
  expect((await countIn(engine, other)) / 1000 + aside.length).toBe(3)
  expect(await countIn(engine, organization)).toBe(15)
})
