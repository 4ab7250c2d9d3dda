import { buffer } from 'node:stream/consumers'
import type { Config } from '../../config/config.ts'
import { openDiskStore } from '../../platform/objects/disk.ts'
import type { ObjectStore } from '../../platform/objects/port.ts'
import type { S3Options } from '../../platform/objects/s3-client.ts'

/** How the bucket of the settings is reached; undefined where media is in the data folder. */
export function bucketOf(config: Config): S3Options | undefined {
  if (!config.s3Bucket) return undefined
  const { s3AccessKey: accessKeyId, s3SecretKey: secretAccessKey } = config
  return {
    bucket: config.s3Bucket,
    region: config.s3Region,
    endpoint: config.s3Endpoint,
    publicEndpoint: config.s3PublicEndpoint,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    forcePathStyle: config.s3PathStyle === 'true',
  }
}

/** Written, read and deleted by each start: of several at once, one may find it gone, which says nothing of rights. */
const PROBE = 'check'

/** Media in a bucket, or in the data folder, where this process is the only one to write. */
export async function openObjects(
  config: Config,
  onTrouble: (message: string) => void,
): Promise<ObjectStore> {
  const bucket = bucketOf(config)
  if (bucket) {
    const { openS3Store } = await import('../../platform/objects/s3.ts')
    const { unusable } = await import('../../platform/objects/s3-client.ts')
    const options = {
      ...bucket,
      createBucket: true,
      ...(config.uploadsDirect === 'true' && { pages: { origins: config.corsOrigins, onTrouble } }),
    }
    const objects = await openS3Store(options)
    const rights = {
      's3:PutObject': async () => {
        await objects.check()
        await objects.put(PROBE, Buffer.from('may be deleted'))
      },
      's3:GetObject': async () => {
        const probe = await objects.get(PROBE)
        if (probe) await buffer(probe.stream)
      },
      's3:DeleteObject': () => objects.delete(PROBE),
    }
    for (const [right, use] of Object.entries(rights))
      await use().catch((error) => {
        throw unusable(options, error, right)
      })
    return objects
  }
  const objects = await openDiskStore(config.dataDir)
  await objects.sweepTemporary(0)
  return objects
}

/** The same for somebody beside the service, who changes nothing of what it has set up. */
export function openObjectsBeside(config: Config): Promise<ObjectStore> {
  if (config.s3Bucket) return openObjects({ ...config, uploadsDirect: 'false' }, () => {})
  return openDiskStore(config.dataDir)
}
