import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDiskStore } from '../../server/platform/objects/disk.ts'

/** Begins to put an object, says so, and never ends: for a test that kills it in the middle. */
const [folder, key] = process.argv.slice(2)

async function* endless() {
  yield Buffer.alloc(2 ** 20, 'half')
  yield Buffer.alloc(2 ** 20, 'half')
  process.stdout.write('half way\n')
  for (;;) await sleep(60_000)
}

const store = await openDiskStore(folder!)
await store.put(key!, Readable.from(endless()))
