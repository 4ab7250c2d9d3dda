import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3'
import type { ListedObject } from './port.ts'
import { codeOf } from './s3-errors.ts'

/** The most that S3 lists, and deletes, at once. */
const PAGE = 1000

async function* pages(client: S3Client, Bucket: string, Prefix: string): AsyncGenerator<ListedObject[]> {
  const input = { Bucket, Prefix, MaxKeys: PAGE }
  for await (const page of paginateListObjectsV2({ client }, input))
    yield (page.Contents ?? []).map(({ Key, Size, LastModified }) => ({
      key: Key!,
      size: Size!,
      lastModified: LastModified!,
    }))
}

export async function* listObjects(client: S3Client, bucket: string, prefix: string) {
  for await (const page of pages(client, bucket, prefix)) yield* page
}

export async function deleteUnder(client: S3Client, Bucket: string, prefix: string): Promise<void> {
  for await (const page of pages(client, Bucket, prefix)) {
    if (page.length === 0) continue
    const Objects = page.map(({ key }) => ({ Key: key }))
    const { Errors } = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
    )
    // Ceph fails to delete what is being put at the same moment. By itself, each is tried again.
    for (const { Key } of Errors ?? []) await client.send(new DeleteObjectCommand({ Bucket, Key }))
  }
}

/** Ends uploads in parts that were begun before and never completed; S3 keeps their parts forever. */
export async function abortUploads(client: S3Client, Bucket: string, before: Date): Promise<number> {
  let aborted = 0
  let position: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}
  while (position) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket, ...position }),
    )
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Initiated! > before) continue
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(unlessGone)
      aborted++
    }
    position = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      : undefined
  }
  return aborted
}

function unlessGone(error: unknown): void {
  if (codeOf(error) !== 'NoSuchUpload') throw error
}
