import { writeFileSync } from 'node:fs'
import { answer } from './answer.ts'

// Plain JavaScript: with the rest of its code compiled already, nothing is left to strip types from.
try {
  // Where memory runs out, this is the process to end, not the service or its database.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {}

await answer()
