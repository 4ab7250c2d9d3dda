import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { StartupError } from '../../base/errors.ts'
import type { ProjectId } from '../../base/ids.ts'
import type { Transaction } from '../../platform/postgres/client.ts'
import { atOneMoment, type HeldSource } from '../at-one-moment.ts'
import type { BackupProgress } from '../content.ts'
import { inOrder } from '../pieces.ts'
import { readQuery } from '../tables.ts'
import { type ExportedRow, fileOf, LIST, MEDIA, removeUnlisted, writeFileOf } from './files.ts'
import { queriesOf } from './records.ts'

export interface ExportSource extends HeldSource {
  /** Writes the events of the project that came before a place in the order of arrival to a Parquet file. */
  writeEvents(projectId: ProjectId, before: number, file: string): Promise<number>
}

export interface ExportOptions {
  projectId: ProjectId
  folder: string
  /** Of Marquee. */
  version: string
  progress: BackupProgress
}

export interface Exported {
  project: string
  /** What was acknowledged before it is in here. */
  moment: string
  version: string
  /** How many of each kind. */
  records: Record<string, number>
  files: number
  bytes: number
  events: number
  /** Files whose bytes the object store does not have. */
  missing: string[]
}

/** Written last: a folder without it is not whole. */
const MANIFEST = 'manifest.json'
/** There as long as an export is not done, with the project's id. */
const BEGUN = 'begun'
const RECORDS = 'records'
const AT_ONCE = 4

/** Writes a project into a folder: files as they were uploaded, records as lines of JSON, events as Parquet. */
export async function exportProject(
  source: ExportSource,
  { projectId, folder, version, progress }: ExportOptions,
): Promise<Exported> {
  const isCutOff = await prepare(folder, projectId)
  return atOneMoment(source, async (tx, moment) => {
    const written = await writeRecords(tx, source, { projectId, folder, progress })
    const file = path.join(folder, 'events.parquet')
    const events = await source.writeEvents(projectId, moment.getTime() * 1000, file)
    if (isCutOff) await removeUnlisted(folder)
    const exported = { project: projectId, moment: moment.toISOString(), version, ...written, events }
    const manifest = path.join(folder, MANIFEST)
    await writeFile(`${manifest}.new`, `${JSON.stringify(exported, null, 2)}\n`, { flush: true })
    await rename(`${manifest}.new`, manifest)
    await rm(path.join(folder, BEGUN))
    return exported
  })
}

/** One of this project that was cut off is gone on with; anything else in the folder is somebody's. */
async function prepare(folder: string, projectId: ProjectId): Promise<boolean> {
  const begun = path.join(folder, BEGUN)
  const there = existsSync(folder) ? await readdir(folder) : []
  if (there.includes(MANIFEST))
    throw new StartupError(`${folder} has a whole export already. Give another folder.`)
  const isCutOff = there.includes(BEGUN) && (await readFile(begun, 'utf8')) === projectId
  if (there.length > 0 && !isCutOff)
    throw new StartupError(`${folder} is not empty: ${there[0]}. Give another folder.`)
  await mkdir(folder, { recursive: true })
  await writeFile(begun, projectId, { flush: true })
  for (const name of [RECORDS, MEDIA]) await mkdir(path.join(folder, name), { recursive: true })
  return isCutOff
}

async function writeRecords(
  tx: Transaction,
  source: HeldSource,
  { projectId, folder, progress }: Omit<ExportOptions, 'version'>,
) {
  const records: Record<string, number> = {}
  const missing: string[] = []
  let [files, bytes] = [0, 0]
  const list = await open(path.join(folder, LIST), 'w')
  try {
    for (const [table, query] of Object.entries(queriesOf(projectId))) {
      records[table] = 0
      const written = inOrder(rowsOf(tx, query), AT_ONCE, async (row) => {
        const record = JSON.parse(row) as ExportedRow
        const file = fileOf(source, { projectId, table, record })
        const { body: _, file_id: __, ...shown } = record
        return { shown, file, content: file && (await writeFileOf(folder, file)) }
      })
      const out = await open(path.join(folder, RECORDS, `${table}.ndjson`), 'w')
      try {
        for await (const { shown, file, content } of written) {
          await out.appendFile(`${JSON.stringify({ ...shown, ...(content && { file: file!.to }) })}\n`)
          records[table]++
          if (file && !content) missing.push(file.to)
          if (!content) continue
          await list.appendFile(`${JSON.stringify({ file: file!.to, ...content })}\n`)
          files++
          bytes += content.size
          progress('files', files, bytes)
        }
      } finally {
        await out.close()
      }
    }
  } finally {
    await list.close()
  }
  return { records, files, bytes, missing }
}

async function* rowsOf(tx: Transaction, query: string): AsyncGenerator<string> {
  for await (const rows of readQuery(tx, query)) yield* rows
}
