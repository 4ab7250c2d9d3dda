import { buffer } from 'node:stream/consumers'
import { S3Client } from '@aws-sdk/client-s3'
import { onTestFinished } from 'vitest'
import { openS3Store } from '../../server/platform/objects/s3.ts'
import { newBucket, type S3Server, s3Settings } from '../platform/objects-s3-server.ts'
import { composeForTest } from './in-process.ts'
import { mediaIn } from './stored-media.ts'

/** A service whose media is in a bucket of its own, and what is in there. */
export async function serviceOnS3(server: S3Server, more: Record<string, string> = {}) {
  const bucket = newBucket()
  const service = await composeForTest({
    env: {
      ...s3Settings(server, bucket),
      MARQUEE_SWEEP_INTERVAL: '1',
      MARQUEE_BROKEN_UPLOADS_KEEP: '60',
      ...more,
    },
  })
  const store = await storeOf(server, bucket)
  const objects = () => mediaIn(store)
  const read = async (key: string) => buffer((await store.get(key))!.stream)
  return { service, bucket, store, objects, read }
}

export async function storeOf(server: S3Server, bucket: string) {
  const store = await openS3Store({ ...server, bucket, forcePathStyle: true })
  onTestFinished(() => store.close())
  return store
}

export function clientOf(server: S3Server): S3Client {
  const client = new S3Client({ ...server, forcePathStyle: true })
  onTestFinished(() => client.destroy())
  return client
}
