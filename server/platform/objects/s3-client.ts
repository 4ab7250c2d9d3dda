import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { StartupError } from '../../base/errors.ts'
import { traced } from '../../base/tracing.ts'
import { StorageUnavailable } from './errors.ts'
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
    (next, { commandName = 'S3' }) =>
      (args) =>
        traced(
          () => ({
            name: commandName,
            kind: 'client',
            attributes: { 'rpc.system': 'aws-api', 'rpc.service': 'S3' },
          }),
          async () => {
            try {
              return await next(args)
            } catch (error) {
              throw translate(error)
            }
          },
        ),
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
    if (!isMissing(error)) throw unusable(options, error)
    if (!options.createBucket) throw new StartupError(`there is no S3 bucket "${bucket}". Create it first.`)
    await createBucket(client, options)
  }
}

async function createBucket(client: S3Client, options: S3Options): Promise<void> {
  try {
    await client.send(new CreateBucketCommand({ Bucket: options.bucket }))
  } catch (error) {
    // Another process that starts at the same time was first.
    if (codeOf(error) !== 'BucketAlreadyOwnedByYou') throw unusable(options, error)
  }
}

/** What is wrong with a bucket, where, and what to do about it; `right` is what was made use of. */
export function unusable(
  { bucket, endpoint = 'AWS' }: S3Options,
  error: unknown,
  right?: string,
): StartupError {
  const { message } = error as Error
  const said = `${right ? `${right}: ` : ''}${message || codeOf(error)}`
  return new StartupError(
    `the S3 bucket "${bucket}" at ${endpoint} cannot be used: ${said}. ${remedyOf(error, right)}`,
  )
}

function remedyOf(error: unknown, right: string | undefined): string {
  if (error instanceof StorageUnavailable) return 'Check MARQUEE_S3_ENDPOINT, and that the server runs.'
  if (['InvalidAccessKeyId', 'SignatureDoesNotMatch'].includes(codeOf(error)))
    return 'Check MARQUEE_S3_ACCESS_KEY and MARQUEE_S3_SECRET_KEY.'
  if (right && codeOf(error) === 'AccessDenied')
    return `Allow the key of MARQUEE_S3_ACCESS_KEY ${right} for all objects of the bucket.`
  return 'Check MARQUEE_S3_BUCKET, MARQUEE_S3_ACCESS_KEY and MARQUEE_S3_SECRET_KEY; the key needs s3:ListBucket and s3:CreateBucket or the bucket, and s3:GetObject, s3:PutObject and s3:DeleteObject in it.'
}
