import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { PresignGetOptions, PresignPutOptions } from './port.ts'
import type { Target } from './s3-upload.ts'

const LONGEST_SECONDS = 7 * 24 * 3600

export function presignPut(client: S3Client, target: Target, options: PresignPutOptions): Promise<string> {
  const { contentType, contentLength } = options
  // Only what is signed binds the client. The SDK signs a length by itself, a type only when told to; told
  // so where there is none, it would sign one of its own.
  const signableHeaders = new Set(contentType === undefined ? [] : ['content-type'])
  const command = new PutObjectCommand({
    ...target,
    ContentType: contentType,
    ContentLength: contentLength,
  })
  return getSignedUrl(client, command, { ...until(options.expiresAt), signableHeaders })
}

export function presignGet(client: S3Client, target: Target, options: PresignGetOptions): Promise<string> {
  const command = new GetObjectCommand({ ...target, ResponseContentType: options.responseContentType })
  return getSignedUrl(client, command, until(options.expiresAt))
}

/** A signature lasts for whole seconds from its date; counted so that it ends no later than asked. */
function until(expiresAt: Date) {
  const signingDate = new Date()
  const expiresIn = Math.floor(expiresAt.getTime() / 1000) - Math.floor(signingDate.getTime() / 1000)
  if (!(expiresIn >= 1 && expiresIn <= LONGEST_SECONDS))
    throw new TypeError(`an address of S3 works for one second to seven days, not for ${expiresIn} s`)
  return { signingDate, expiresIn }
}
