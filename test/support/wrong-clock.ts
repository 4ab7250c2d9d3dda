import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { needs } from './needs.ts'

/** libfaketime, in the folder of whichever architecture. */
const library = readdirSync('/usr/lib', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => path.join('/usr/lib', name, 'faketime'))
  .flatMap((folder) => {
    try {
      return readdirSync(folder).map((file) => path.join(folder, file))
    } catch {
      return []
    }
  })
  .find((file) => file.endsWith('libfaketimeMT.so.1'))

export const canBeWrong = needs('a clock that can be wrong (faketime)', library !== undefined)

/** A clock for a service's process, which can be set while it runs; time that is only counted goes on as it does. */
export function wrongClock(seconds: number) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-clock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'offset')
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}`)
  set(seconds)
  return {
    set,
    env: {
      LD_PRELOAD: library!,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  }
}
