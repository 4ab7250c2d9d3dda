import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { type BackupProgress, type Filled, withLiveContent } from '../../backup/index.ts'
import { StartupError } from '../../base/errors.ts'
import { type Config, loadConfig } from '../../config/config.ts'
import { fillInstallation } from './fill-installation.ts'
import { openSource } from './open-source.ts'

interface Move {
  config: Config
  /** A file with the settings of the other installation. */
  settingsFile: string
  tell(message: string): void
  progress: BackupProgress
}

/**
 * Copies an installation that does not run into the engines of other settings. What was copied is read back and compared. The
 * old one stays as it is; cut off, it goes on when it is done again.
 */
export async function move({ config, settingsFile, tell, progress }: Move): Promise<Filled> {
  const settings = await readFile(settingsFile, 'utf8').catch((error: Error) => {
    throw new StartupError(`the settings to move to cannot be read: ${error.message}`)
  })
  const to = loadConfig(parseEnv(settings))
  if (to.dataDir === config.dataDir)
    throw new StartupError(
      `${settingsFile} names the data folder that is moved from. Give it another one there, by MARQUEE_DATA_DIR.`,
    )
  const source = await openSource(config, tell)
  try {
    if (!source.isOurs)
      throw new StartupError(
        'what is moved must not change: only an embedded installation that does not run can be. Stop the service first.',
      )
    return await withLiveContent(source, async (live) => {
      // The same each time, so that a move which was cut off is recognized.
      const content = { ...live, id: `move-of-${live.installation.slice(0, 16)}` }
      return fillInstallation(to, content, { id: content.id, force: false, tell, progress, readBack: true })
    })
  } finally {
    await source.close()
  }
}
