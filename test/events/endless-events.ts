import { DuckDBInstance } from '@duckdb/node-api'
import { openDuckDb } from '../../server/platform/events/duckdb/open-duckdb.ts'
import type { EventEngine, EventScope } from '../../server/platform/events/port.ts'
import { lineOf, makeSpool } from './engine-contract/spooled.ts'

const ORGANIZATION = 'endless'
const ROWS = 10 ** 15
/** Of events without an end: no report of them ever comes to one by itself. */
export const ENDLESS: EventScope = { organization: ORGANIZATION }

const open = (file: string) => openDuckDb({ file, memoryBytes: 2 ** 28, threads: 1, onTrouble: () => {} })

/** A database whose events have no end, once one was loaded. */
export async function makeEndless(file: string): Promise<void> {
  const first = open(file)
  await first.check()
  await first.close()
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  // Empty at first, since all of it is read at the opening; endless as soon as a spool is known.
  await connection.run(`
    alter table events rename to kept;
    create view events as select kept.* replace (0 as project, 0 as viewer, r.range as time, 'error'::kind as kind)
      from range(${ROWS}) r cross join spools left join kept on false;
    insert into projects values (0, '${ORGANIZATION}', 'project')`)
  connection.closeSync()
  instance.closeSync()
}

export async function openEndless(file: string): Promise<EventEngine> {
  const engine = open(file)
  const spool = await makeSpool()
  await engine.load({ ...(await spool.write([lineOf(ORGANIZATION, {})])), reject: 'not needed' })
  await spool.remove()
  return engine
}
