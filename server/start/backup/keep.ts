import {
  type BackupProgress,
  contentOfBackup,
  type Filled,
  keepNewest,
  type Manifest,
  makeBackup,
  openVault,
  sweepVault,
  type Vault,
  type Verified,
  verifyBackup,
  withLiveContent,
} from '../../backup/index.ts'
import { StartupError } from '../../base/errors.ts'
import type { Config } from '../../config/config.ts'
import { readVersion } from '../version.ts'
import { fillInstallation } from './fill-installation.ts'
import { openPlace, readKeyFile } from './open-place.ts'
import { openSource } from './open-source.ts'

export interface Kept {
  config: Config
  /** A folder, or s3://bucket/prefix. */
  location: string
  keyFile?: string
  tell(message: string): void
  progress: BackupProgress
}

/** Where somebody has begun a backup and not ended it: what they left is swept by the next. */
const BEGUN = 'begun'

export interface BackedUp {
  id: string
  /** What was acknowledged before it is in there, */
  moment: string
  /** and what was begun after this is not. */
  taken: string
  tables: number
  rows: number
  objects: number
  bytes: number
  events: number
  /** What was not in an earlier backup. */
  added: number
  added_bytes: number
  encrypted: boolean
  missing: string[]
  forgotten: string[]
}

export async function backUp({ config, location, keyFile, tell, progress, keep }: Kept & { keep?: number }) {
  const key = await readKeyFile(keyFile)
  const { place, close } = await openPlace(location, config, { make: true })
  const source = await openSource(config, tell)
  try {
    return await withLiveContent(source, async (content): Promise<BackedUp> => {
      const { installation } = content
      const vault = await openVault({ place, key, name: location, make: { installation } })
      const wasCutOff = (await place.head(BEGUN)) !== undefined
      await place.sweepTemporary(0)
      await place.put(BEGUN, Buffer.from(content.id))
      const { manifest, added } = await makeBackup(content, { vault, version: readVersion(), progress })
      const forgotten = keep ? await keepNewest(vault, keep) : []
      if (wasCutOff || forgotten.length > 0) await sweepVault(vault)
      await place.delete(BEGUN)
      return {
        ...summaryOf(manifest),
        added: added.contents,
        added_bytes: added.bytes,
        encrypted: key !== undefined,
        missing: manifest.missing,
        forgotten,
      }
    })
  } finally {
    await source.close()
    await close()
  }
}

export async function listBackups(kept: Kept) {
  return withVault(kept, async (vault) => {
    const found = []
    for (const id of await vault.ids())
      found.push(
        await vault.read(id).then(summaryOf, (error: Error) => ({ id, moment: '', damaged: error.message })),
      )
    return found
  })
}

export async function verify(kept: Kept & { at?: string }): Promise<Verified> {
  return withVault(kept, async (vault) => verifyBackup(vault, await chosen(vault, kept.at), kept.progress))
}

export async function restore(
  kept: Kept & { at?: string; force: boolean },
): Promise<Filled & { id: string; moment: string }> {
  const { config, tell, progress, force } = kept
  return withVault(kept, async (vault) => {
    const manifest = await chosen(vault, kept.at)
    const content = contentOfBackup(vault, manifest)
    const filled = await fillInstallation(config, content, {
      id: manifest.id,
      force,
      tell,
      progress,
      readBack: false,
    })
    return { id: manifest.id, moment: manifest.moment, ...filled }
  })
}

async function withVault<T>(
  { config, location, keyFile }: Kept,
  use: (vault: Vault) => Promise<T>,
): Promise<T> {
  const key = await readKeyFile(keyFile)
  const { place, close } = await openPlace(location, config, { make: false })
  try {
    return await use(await openVault({ place, key, name: location }))
  } finally {
    await close()
  }
}

/** The newest of that time or before, by its id or by a time. */
async function chosen(vault: Vault, at = 'latest'): Promise<Manifest> {
  const ids = await vault.ids()
  if (ids.length === 0) throw new StartupError('there is no whole backup in there')
  if (ids.includes(at)) return vault.read(at)
  if (at === 'latest') return vault.read(ids.at(-1)!)
  const time = new Date(at)
  if (Number.isNaN(time.getTime()))
    throw new StartupError(
      `--at is neither latest, nor a time such as 2026-01-31T12:00:00Z, nor one of: ${ids.join(', ')}`,
    )
  const until = time.toISOString().replaceAll(/[-:.]/g, '')
  const id = ids.filter((each) => each <= until).at(-1)
  if (!id) throw new StartupError(`there is no backup of ${at} or before; the first is ${ids[0]}`)
  return vault.read(id)
}

function summaryOf({ id, moment, taken, tables, objects, events }: Manifest) {
  return {
    id,
    moment,
    taken,
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    objects: objects.count,
    bytes: objects.bytes,
    events: events.count,
  }
}
