import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openDuckDb } from '../../server/platform/events/duckdb/open-duckdb.ts'
import { describeEngine } from './engine.contract.ts'

describeEngine('DuckDB', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-duckdb-'))
  const engine = openDuckDb({
    file: path.join(folder, 'events.duckdb'),
    memoryBytes: 2 ** 29,
    threads: 2,
    onTrouble: (message) => {
      throw new Error(message)
    },
  })
  return { engine, cleanUp: async () => rmSync(folder, { recursive: true, force: true }) }
})
