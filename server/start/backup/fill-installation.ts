import { type BackupContent, type BackupProgress, type Filled, fill } from '../../backup/index.ts'
import type { Config } from '../../config/config.ts'
import { openTarget } from './open-target.ts'

interface Filling {
  /** One that was begun with the same goes on. */
  id: string
  force: boolean
  /** Whether what was written is read again and compared. */
  readBack: boolean
  tell(message: string): void
  progress: BackupProgress
}

/** Makes the installation of these settings out of the content; until all of it is there, nobody can start it. */
export async function fillInstallation(
  config: Config,
  content: BackupContent,
  { id, force, readBack, tell, progress }: Filling,
): Promise<Filled> {
  const target = await openTarget(config, { id, force, tell })
  try {
    const filled = await fill(content, target, { progress, readBack })
    for (const file of await content.files()) await target.putFile(file.name, file.content)
    await target.done()
    return filled
  } finally {
    await target.close()
  }
}
