import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { StartupError } from '../../base/errors.ts'
import { codeOf, isMissing, translate } from './s3-errors.ts'

export interface S3Options {
  bucket: string
  region: string
  /** Default: AWS's own for the region. */
  endpoint?: string
  /** Where clients reach the same store, for the addresses given to them. Default: the endpoint. */
  publicEndpoint?: string
  /** Default: found as the AWS SDK finds them. */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }
  /** The bucket in the path and not in the host name; what most servers other than AWS need. */
  forcePathStyle?: boolean
  /** Makes the bucket where there is none. */
  createBucket?: boolean
  /** Whose pages put files to it by signed addresses; the bucket is made to allow that. */
  pages?: { origins: string[]; onTrouble: (message: string) => void }
}

const CONNECT_MS = 5_000
// Long enough for a server that copies 2 GB in silence.
const SILENCE_MS = 120_000
// A request that waits for a free connection counts as connecting, so there must always be one.
const MAX_SOCKETS = 1_000

export function s3Client(options: S3Options, endpoint = options.endpoint): S3Client {
  const agent = { maxSockets: MAX_SOCKETS, keepAlive: true }
  const client = new S3Client({
    region: options.region,
    endpoint,
    credentials: options.credentials,
    forcePathStyle: options.forcePathStyle ?? false,
    // Servers other than AWS refuse or ignore the SDK's own trailing checksums. Bodies are sent from
    // memory, and the signature covers their hash.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would open a connection for each part.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  })
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        throw translate(error)
      }
    },
    { name: 'translateErrors', step: 'initialize', priority: 'high' },
  )
  return client
}

/** Ends the start with one line where the bucket cannot be used. */
export async function requireBucket(client: S3Client, options: S3Options): Promise<void> {
  const { bucket } = options
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }))
  } catch (error) {
    if (!isMissing(error)) throw unusable(bucket, error)
    if (!options.createBucket) throw new StartupError(`there is no S3 bucket "${bucket}". Create it first.`)
    await createBucket(client, bucket)
  }
}

async function createBucket(client: S3Client, bucket: string): Promise<void> {
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }))
  } catch (error) {
    // Another process that starts at the same time was first.
    if (codeOf(error) !== 'BucketAlreadyOwnedByYou') throw unusable(bucket, error)
  }
}

function unusable(bucket: string, error: unknown): StartupError {
  return new StartupError(`the S3 bucket "${bucket}" cannot be used: ${(error as Error).message}`)
}
