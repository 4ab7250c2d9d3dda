import { type CORSRule, GetBucketCorsCommand, PutBucketCorsCommand, type S3Client } from '@aws-sdk/client-s3'
import { codeOf } from './s3-errors.ts'

const RULE_ID = 'marquee-uploads'

/**
 * Lets pages of these origins put files to the bucket by signed addresses: adds a rule where none does. Those that are there
 * stay as they are. Answers a line for the operator where it could be neither found nor set.
 */
export async function allowPages(
  client: S3Client,
  Bucket: string,
  origins: string[],
): Promise<string | undefined> {
  try {
    const rules = await rulesOf(client, Bucket)
    if (origins.every((origin) => rules.some((rule) => allows(rule, origin)))) return undefined
    const others = rules.filter(({ ID }) => ID !== RULE_ID)
    const CORSRules = [...others, ruleFor(origins)]
    await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }))
    return undefined
  } catch (error) {
    return `no CORS rule could be set on the S3 bucket "${Bucket}" (${(error as Error).message}): pages can upload to it only if it allows PUT from ${origins.join(', ')}.`
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
