import { existsSync } from 'node:fs'
import path from 'node:path'
import { StartupError } from '../../base/errors.ts'

/** In the data folder for as long as it is being filled: says with what. */
export const restoringFile = (dataDir: string) => path.join(dataDir, 'restoring')

/** A service on half of an installation would take it for a new one. */
export function refuseHalfRestored(dataDir: string): void {
  if (existsSync(restoringFile(dataDir)))
    throw new StartupError(
      `${dataDir} is being restored, and is not whole yet. Where that was cut off, do it again: the same command goes on.`,
    )
}
