import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { EventLog } from '../../platform/events/port.ts'
import type { DumpedEvents } from '../../platform/events/rows.ts'
import { defineQueue, type Handler } from '../../platform/jobs/port.ts'

interface DumpOrder extends DumpedEvents {
  /** Of the file that is made. */
  name: string
}

/** Asked by the command line, which cannot open a database that the service has open. */
export const DUMP_EVENTS = defineQueue<DumpOrder>('dump-events')

export function dumpEvents(events: Pick<EventLog, 'dump'>, folder: string): Handler<DumpOrder> {
  return {
    attempts: 2,
    concurrency: 1,
    async run({ payload: { name, ...which } }) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await removeForgotten(folder)
      const file = path.join(folder, path.basename(name))
      await events.dump(which, `${file}.part`)
      // There when it is whole.
      await rename(`${file}.part`, file)
    },
    giveUp: async () => {},
  }
}

const FORGOTTEN_MS = 24 * 3_600_000

/** What somebody has asked for who was killed before they could take it. */
async function removeForgotten(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name)
    const found = await stat(file).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > FORGOTTEN_MS) await rm(file, { force: true })
  }
}
