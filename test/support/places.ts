import { readFileSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { openS3Store } from '../../server/platform/objects/s3.ts'
import { newBucket, type S3Server, s3Settings } from '../platform/objects-s3-server.ts'

/** Where a service keeps what it is sent, and how a test reads it there. */
export interface Place {
  env: Record<string, string>
  read(key: string): Promise<Buffer>
}

export const onDisk = (dataDir: string): Place => ({
  env: {},
  read: async (key) => readFileSync(path.join(dataDir, 'objects', key)),
})

/** In a bucket of its own. */
export async function inS3(server: S3Server): Promise<Place> {
  const bucket = newBucket()
  const store = await openS3Store({ ...server, bucket, forcePathStyle: true, createBucket: true })
  onTestFinished(() => store.close())
  return {
    env: s3Settings(server, bucket),
    read: async (key) => buffer((await store.get(key))!.stream),
  }
}
