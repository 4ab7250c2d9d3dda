import { StartupError } from '../../base/errors.ts'
import { exportTo } from '../../start/backup/export.ts'
import { backUp, type Kept, listBackups, restore, verify } from '../../start/backup/keep.ts'
import { move } from '../../start/backup/move.ts'
import type { Option, Parsed, Server } from '../command.ts'
import { wholeNumber } from '../values.ts'

/** What is done with a whole installation. */
export interface KeepingCommand extends Server {
  /** Answers what is printed; `problems` where it has found any. */
  run(deps: Pick<Kept, 'config' | 'tell' | 'progress'>, parsed: Parsed): Promise<object | object[]>
}

const KEY_FILE: Option = {
  about: 'File with the key that backups are encrypted with: openssl rand -hex 32',
  value: 'file',
}
const AT: Option = { about: 'Which one: latest, a time, or its id', value: 'time', fallback: 'latest' }

export const KEEPING: KeepingCommand[] = [
  {
    name: 'backup',
    about: 'Back up records, media and events as they are at this moment; only what is new is copied',
    files: 'FOLDER|s3://BUCKET/PREFIX',
    options: {
      'key-file': KEY_FILE,
      keep: { about: 'Forget all but so many of the newest backups', value: 'number' },
    },
    run: (deps, parsed) => {
      const { keep } = parsed.values
      return backUp({
        ...deps,
        ...placeOf(parsed),
        ...(keep && { keep: wholeNumber('keep', keep, 1) }),
      })
    },
  },
  {
    name: 'backups',
    about: 'List the backups that are in a place',
    files: 'FOLDER|s3://BUCKET/PREFIX',
    options: { 'key-file': KEY_FILE },
    run: (deps, parsed) => listBackups({ ...deps, ...placeOf(parsed) }),
  },
  {
    name: 'verify',
    about: 'Read all of a backup back, and compare it with what was written',
    files: 'FOLDER|s3://BUCKET/PREFIX',
    options: { at: AT, 'key-file': KEY_FILE },
    run: (deps, parsed) => verify({ ...deps, ...placeOf(parsed), at: parsed.values.at }),
  },
  {
    name: 'restore',
    about: 'Fill an empty installation from a backup, whatever engines either has',
    files: 'FOLDER|s3://BUCKET/PREFIX',
    options: {
      at: AT,
      'key-file': KEY_FILE,
      force: { about: 'Replace what is in this installation', isFlag: true },
    },
    run: (deps, parsed) =>
      restore({ ...deps, ...placeOf(parsed), at: parsed.values.at, force: parsed.values.force === 'true' }),
  },
  {
    name: 'move',
    about: 'Copy an embedded installation, stopped, into engines by address; the old one stays as it is',
    options: {
      to: {
        about: 'File with the settings of the new one, a line NAME=value each',
        value: 'file',
        required: true,
      },
    },
    run: (deps, { values }) => move({ ...deps, settingsFile: values.to! }),
  },
  {
    name: 'export',
    about: 'Write a project into a folder: files as they were uploaded, records as JSON, events as Parquet',
    files: 'PROJECT FOLDER',
    options: {},
    run: (deps, { files: [project, folder, ...more] }) => {
      if (!project || !folder || more.length > 0)
        throw new StartupError('give a project and a folder, such as: export proj_… exported')
      return exportTo({ ...deps, project, folder })
    },
  },
]

function placeOf({ files, values }: Parsed): { location: string; keyFile?: string } {
  const [location, ...more] = files
  if (!location || more.length > 0) throw new StartupError('give one place: a folder, or s3://bucket/prefix')
  const keyFile = values['key-file']
  return { location, ...(keyFile !== undefined && { keyFile }) }
}
