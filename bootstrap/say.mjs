import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** Progress goes to stderr: stdout belongs to the program that was asked for. */
export function say(message) {
  process.stderr.write(`marquee: ${message}\n`)
}

export function fail(message) {
  say(message)
  process.exit(1)
}

/** Says what is begun, and how long it took. */
export function timed(message, work) {
  say(`${message} …`)
  const start = performance.now()
  const result = work()
  say(`… done in ${Math.round((performance.now() - start) / 1000)} s`)
  return result
}
