import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Of the service that runs. */
export function readVersion(): string {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8')).version
}
