import { readFileSync } from 'node:fs'
import { openClickHouse } from '../../server/platform/events/clickhouse/engine.ts'

/** Loads what is not loaded of a chunk, some lines at a time, until it is through: for a test that kills it. */
const { options, chunk, lines } = JSON.parse(process.argv[2]!)
const engine = await openClickHouse({ ...options, lock: (work) => work() })
let from = (await engine.position(chunk.spool))?.offset ?? chunk.from
process.stdout.write('loading\n')
const bytes = readFileSync(chunk.path)
while (from < chunk.to) {
  let to = from
  for (let i = 0; i < lines && to < chunk.to; i++) to = bytes.indexOf(10, to) + 1
  const position = await engine.load({ ...chunk, from, to })
  from = position.offset
}
