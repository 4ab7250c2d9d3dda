import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { type BackupProgress, type Exported, exportProject, hasProject } from '../../backup/index.ts'
import { StartupError } from '../../base/errors.ts'
import { isId } from '../../base/ids.ts'
import type { Config } from '../../config/config.ts'
import { readVersion } from '../version.ts'
import { openSource } from './open-source.ts'

interface Exporting {
  config: Config
  project: string
  folder: string
  tell(message: string): void
  progress: BackupProgress
}

/** A project in forms that other programs read, while the service runs. */
export async function exportTo({ config, project, folder, tell, progress }: Exporting): Promise<Exported> {
  const source = await openSource(config, tell)
  try {
    if (!isId('project', project) || !(await hasProject(source.sql, project)))
      throw new StartupError(`there is no project ${project}. See: npm run marquee -- projects list`)
    // Loads DuckDB, which no other command needs in its own process.
    const { eventsToParquet } = await import('../../platform/events/duckdb/to-parquet.ts')
    const scratch = await mkdtemp(path.join(source.scratch, 'export-'))
    try {
      const lines = path.join(scratch, 'events.ndjson')
      const writeEvents = async (projectId: string, before: number, file: string) => {
        await source.dump({ project: projectId, before }, lines)
        return eventsToParquet(lines, file)
      }
      return await exportProject(
        { ...source, writeEvents },
        { projectId: project, folder: path.resolve(folder), version: readVersion(), progress },
      )
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  } finally {
    await source.close()
  }
}
