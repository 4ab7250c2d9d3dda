import { type CORSRule, GetBucketCorsCommand, PutBucketCorsCommand, type S3Client } from '@aws-sdk/client-s3'
import { codeOf } from './s3-errors.ts'

const RULE_ID = 'marquee-uploads'

/**
 * Lets pages of these origins put files to the bucket by signed addresses: adds a rule where none does. Those that are there
 * stay as they are. Where they cannot be read, none is added: setting rules replaces all of them. Answers a line for the
 * operator where pages may be unable to upload.
 */
export async function allowPages(
  client: S3Client,
  Bucket: string,
  origins: string[],
): Promise<string | undefined> {
  let [failed, permissions] = ['read', 's3:GetBucketCORS and s3:PutBucketCORS']
  try {
    const rules = await rulesOf(client, Bucket)
    if (origins.every((origin) => rules.some((rule) => allows(rule, origin)))) return undefined
    ;[failed, permissions] = ['set', 's3:PutBucketCORS']
    const CORSRules = [...rules.filter(({ ID }) => ID !== RULE_ID), ruleFor(origins)]
    await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }))
    return undefined
  } catch (error) {
    return [
      `the CORS rules of the S3 bucket "${Bucket}" could not be ${failed} (${(error as Error).message}).`,
      `Pages can upload straight to it only if they allow PUT from ${origins.join(', ')}:`,
      `give this service's key ${permissions}, or set such a rule yourself,`,
      'or have uploads pass through the service by MARQUEE_S3_DIRECT_UPLOADS=false.',
    ].join(' ')
  }
}

async function rulesOf(client: S3Client, Bucket: string): Promise<CORSRule[]> {
  try {
    return (await client.send(new GetBucketCorsCommand({ Bucket }))).CORSRules ?? []
  } catch (error) {
    if (codeOf(error) === 'NoSuchCORSConfiguration') return []
    throw error
  }
}

const ruleFor = (origins: string[]): CORSRule => ({
  ID: RULE_ID,
  AllowedMethods: ['PUT'],
  AllowedOrigins: origins,
  AllowedHeaders: ['*'],
  ExposeHeaders: ['ETag'],
  MaxAgeSeconds: 3600,
})

/** Whether a rule lets pages of an origin put a file, which has a type. */
function allows({ AllowedMethods, AllowedOrigins, AllowedHeaders }: CORSRule, origin: string): boolean {
  const headers = (AllowedHeaders ?? []).map((header) => header.toLowerCase())
  return (
    AllowedMethods?.includes('PUT') === true &&
    (AllowedOrigins ?? []).some((allowed) => allowed === '*' || allowed === origin) &&
    (headers.includes('*') || headers.includes('content-type'))
  )
}
