import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Config } from '../../config/config.ts'
import { ObjectExists } from '../../platform/objects/errors.ts'
import type { ObjectStore } from '../../platform/objects/port.ts'
import { bucketOf } from '../engines/objects.ts'
import { type Finding, fail, ok, warn } from './check.ts'

const PROBE_LIFETIME_MS = 60_000

/** Does with the bucket what the service does with it. An object comes and goes; nothing is set up. */
export async function checkObjects(config: Config): Promise<Finding> {
  const bucket = bucketOf(config)
  if (!bucket) return ok('in the data folder')
  const { openS3Store } = await import('../../platform/objects/s3.ts')
  const store = await openS3Store(bucket)
  const key = `doctor/${randomBytes(8).toString('hex')}`
  try {
    const body = randomBytes(64)
    await step('put', store.put(key, body))
    try {
      const read = await step('get', store.get(key))
      if (!read || !(await buffer(read.stream)).equals(body))
        return fail(`bucket ${bucket.bucket}: an object was not read as it was written`, 'Look at the server')
      await step('list', untilEnd(store.list('doctor/')))
      if (!(await knowsConditions(store, key)))
        return warn(
          `bucket ${bucket.bucket}: a put with If-None-Match replaces what is there`,
          'Use a server that answers it with 412: a worker that wakes after its lease may replace a segment',
        )
    } finally {
      await step('delete', store.delete(key))
    }
    return (
      (await pagesTrouble(config, store, key)) ?? ok(`bucket ${bucket.bucket}: put, got, listed and deleted`)
    )
  } finally {
    await store.close()
  }
}

async function step<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new Error(`${what}: ${(error as Error).message || (error as Error).name}`, { cause: undefined })
  }
}

async function untilEnd(list: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of list);
}

async function knowsConditions(store: ObjectStore, key: string): Promise<boolean> {
  try {
    await store.put(key, randomBytes(64), { ifAbsent: true })
    return false
  } catch (error) {
    if (error instanceof ObjectExists) return true
    throw error
  }
}

/** Asks as a browser does before a page may put a file by a signed address. */
async function pagesTrouble(
  { uploadsDirect, corsOrigins }: Config,
  store: ObjectStore,
  key: string,
): Promise<Finding | undefined> {
  const expiresAt = new Date(Date.now() + PROBE_LIFETIME_MS)
  const address = uploadsDirect === 'true' ? await store.presignPut(key, { expiresAt }) : undefined
  if (!address) return undefined
  for (const origin of corsOrigins) {
    const asked = origin === '*' ? 'https://any.example' : origin
    const headers = {
      origin: asked,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type',
    }
    const { headers: answered } = await fetch(address, { method: 'OPTIONS', headers })
    if (['*', asked].includes(answered.get('access-control-allow-origin') ?? '')) continue
    return warn(
      `${new URL(address).host} does not let pages of ${origin} put files`,
      'Start the service, whose key may s3:PutBucketCORS, or set the rule by hand, or MARQUEE_S3_DIRECT_UPLOADS=false',
    )
  }
  return undefined
}
