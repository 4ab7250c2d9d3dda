import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { ObjectNotFound } from './errors.ts'
import { isMissing } from './s3-errors.ts'
import type { Target } from './s3-upload.ts'

const COPIES_AT_ONCE = 8

/** Makes one object of several by copying them inside of S3, each as a part of a multipart upload. */
export async function composeObjects(client: S3Client, target: Target, keys: string[]): Promise<void> {
  const sourceOf = (key: string) => ({ ...target, CopySource: `${target.Bucket}/${key}` })
  if (keys.length === 1) {
    await client.send(new CopyObjectCommand(sourceOf(keys[0]!))).catch(translated(keys[0]!))
    return
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target))
  const Parts: CompletedPart[] = []
  const rest = keys.entries()
  async function copySome(): Promise<void> {
    for (const [index, key] of rest) {
      const part = { ...sourceOf(key), UploadId, PartNumber: index + 1 }
      const copied = await client.send(new UploadPartCopyCommand(part)).catch(translated(key))
      Parts[index] = { ETag: copied.CopyPartResult!.ETag, PartNumber: index + 1 }
    }
  }
  const copying = Array.from({ length: COPIES_AT_ONCE }, copySome)
  try {
    await Promise.all(copying)
    await client.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } }))
  } catch (error) {
    // A part that arrives after the abort would stay.
    await Promise.allSettled(copying)
    await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => {})
    throw error
  }
}

function translated(key: string) {
  return (error: unknown): never => {
    throw isMissing(error) ? new ObjectNotFound(key) : error
  }
}
