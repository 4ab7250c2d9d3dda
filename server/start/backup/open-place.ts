import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { readKey, type VaultPlace } from '../../backup/index.ts'
import { StartupError } from '../../base/errors.ts'
import type { Config } from '../../config/config.ts'
import { openDiskStore } from '../../platform/objects/disk.ts'
import type { ObjectStore } from '../../platform/objects/port.ts'

/** Where backups are kept: a folder, or a part of a bucket. */
export async function openPlace(
  location: string,
  config: Config,
  { make }: { make: boolean },
): Promise<{ place: VaultPlace; close(): Promise<void> }> {
  if (!location.startsWith('s3://')) return openFolder(path.resolve(location), make)
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*?))?\/?$/.exec(location) ?? []
  if (!bucket) throw new StartupError(`${location} is not an address such as s3://bucket/prefix`)
  const { openS3Store } = await import('../../platform/objects/s3.ts')
  const accessKeyId = config.backupS3AccessKey ?? config.s3AccessKey
  const secretAccessKey = config.backupS3SecretKey ?? config.s3SecretKey
  const pathStyle = config.backupS3PathStyle === 'as media' ? config.s3PathStyle : config.backupS3PathStyle
  const store = await openS3Store({
    bucket,
    region: config.backupS3Region ?? config.s3Region,
    endpoint: config.backupS3Endpoint ?? config.s3Endpoint,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    forcePathStyle: pathStyle === 'true',
  })
  return { place: below(store, prefix ? `${prefix}/` : ''), close: () => store.close() }
}

async function openFolder(folder: string, make: boolean) {
  if (!make && !existsSync(path.join(folder, 'objects')))
    throw new StartupError(`there is no backup in ${folder}`)
  try {
    const store = await openDiskStore(folder)
    return { place: store, close: () => store.close() }
  } catch (error) {
    throw new StartupError(`backups cannot be kept in ${folder}: ${(error as Error).message}`)
  }
}

/** The part of a bucket whose keys begin so. What else is in there is nobody's business here. */
function below(store: ObjectStore, prefix: string): VaultPlace {
  return {
    put: (key, source, options) => store.put(prefix + key, source, options),
    get: (key, range) => store.get(prefix + key, range),
    head: (key) => store.head(prefix + key),
    delete: (key) => store.delete(prefix + key),
    async *list(inner = '') {
      for await (const found of store.list(prefix + inner || undefined))
        yield { ...found, key: found.key.slice(prefix.length) }
    },
    sweepTemporary: async () => 0,
  }
}

export async function readKeyFile(file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined
  const content = await readFile(file).catch((error: Error) => {
    throw new StartupError(`the key file cannot be read: ${error.message}`)
  })
  return readKey(content)
}
