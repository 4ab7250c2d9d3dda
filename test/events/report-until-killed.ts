import { ENDLESS, openEndless } from './endless-events.ts'
import { EVER } from './engine-contract/spooled.ts'

/** Begins a report that never ends: for a test that kills it. */
const engine = await openEndless(process.argv[2]!)
engine.realtime(ENDLESS, EVER, undefined).catch(() => {})
process.stdout.write('reporting\n')
