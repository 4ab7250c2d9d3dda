import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
} from '@aws-sdk/client-s3'
import { appendTo } from './append.ts'
import { writeToFile } from './download.ts'
import { ObjectNotFound, RangeNotSatisfiable } from './errors.ts'
import { openRegularFile, readWhole } from './local-file.ts'
import { type ByteRange, checkKey, checkPrefix, type ObjectInfo, type ObjectStore } from './port.ts'
import { checkRange } from './ranges.ts'
import { openPieceWriter } from './s3-append.ts'
import { requireBucket, type S3Options, s3Client } from './s3-client.ts'
import { composeObjects } from './s3-compose.ts'
import { allowPages } from './s3-cors.ts'
import { codeOf, isMissing } from './s3-errors.ts'
import { abortUploads, deleteUnder, listObjects } from './s3-list.ts'
import { presignGet, presignPut } from './s3-presign.ts'
import { type Target, upload } from './s3-upload.ts'

const CHECK_MS = 3_000

/** Objects in a bucket of AWS S3, or of a server that speaks its protocol. */
export async function openS3Store(options: S3Options): Promise<ObjectStore> {
  const client = s3Client(options)
  const signer = options.publicEndpoint ? s3Client(options, options.publicEndpoint) : client
  const { bucket } = options
  await requireBucket(client, options)
  if (options.pages) {
    const trouble = await allowPages(client, bucket, options.pages.origins)
    if (trouble) options.pages.onTrouble(trouble)
  }

  function targetOf(key: string): Target {
    checkKey(key)
    return { Bucket: bucket, Key: key }
  }

  const store: ObjectStore = {
    async put(key, source, options = {}) {
      return upload(client, targetOf(key), source, options)
    },

    async putFile(key, source, options = {}) {
      const target = targetOf(key)
      const handle = await openRegularFile(source)
      try {
        const announced = { ...options, size: options.size ?? (await handle.stat()).size }
        const stored = await upload(client, target, readWhole(handle), announced)
        await rm(source)
        return stored
      } finally {
        await handle.close()
      }
    },

    async get(key, range) {
      const target = targetOf(key)
      if (range) checkRange(range)
      try {
        const answer = await client.send(new GetObjectCommand({ ...target, Range: range && header(range) }))
        const size = Number(answer.ContentRange?.split('/')[1] ?? answer.ContentLength)
        return { ...infoOf(answer), size, stream: answer.Body as Readable }
      } catch (error) {
        if (isMissing(error)) return undefined
        if (codeOf(error) !== 'InvalidRange') throw error
        const info = await store.head(key)
        if (!info) return undefined
        throw new RangeNotSatisfiable(info.size)
      }
    },

    async head(key) {
      try {
        return infoOf(await client.send(new HeadObjectCommand(targetOf(key))))
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },

    localPath(key) {
      checkKey(key)
      return undefined
    },

    async download(key, path) {
      const object = await store.get(key)
      return object && writeToFile(object, path)
    },

    async move(from, to) {
      const [source, target] = [targetOf(from), targetOf(to)]
      if (from === to) {
        // A copy onto itself would be refused, or end in deleting the only one.
        if (!(await store.head(from))) throw new ObjectNotFound(from)
        return
      }
      try {
        await client.send(new CopyObjectCommand({ ...target, CopySource: `${bucket}/${from}` }))
      } catch (error) {
        throw isMissing(error) ? new ObjectNotFound(from) : error
      }
      await client.send(new DeleteObjectCommand(source))
    },

    async append(prefix, source, options) {
      checkPrefix(prefix)
      // It may break off before anybody reads it; the one who reads finds that out.
      source.on('error', () => {})
      return appendTo(await openPieceWriter(client, bucket, { prefix, to: options.to }), source, options)
    },

    async compose({ pieces }, key) {
      const keys = pieces.map((piece) => piece.key)
      if (keys.length > 0) await composeObjects(client, targetOf(key), keys)
      else await store.put(key, Buffer.alloc(0))
    },

    async delete(key) {
      try {
        await client.send(new DeleteObjectCommand(targetOf(key)))
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    },

    async deletePrefix(prefix) {
      checkPrefix(prefix)
      await deleteUnder(client, bucket, prefix)
    },

    list(prefix = '') {
      if (prefix) checkPrefix(prefix)
      return listObjects(client, bucket, prefix)
    },

    async presignPut(key, options) {
      return presignPut(signer, targetOf(key), options)
    },

    async presignGet(key, options) {
      return presignGet(signer, targetOf(key), options)
    },

    async sweepTemporary(olderThanMs) {
      return abortUploads(client, bucket, new Date(Date.now() - olderThanMs))
    },

    async check() {
      // The one way of writing that shows nothing to anybody who lists the bucket.
      const target = { Bucket: bucket, Key: 'check' }
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(target), {
        requestTimeout: CHECK_MS,
      })
      await client.send(new AbortMultipartUploadCommand({ ...target, UploadId }), {
        requestTimeout: CHECK_MS,
      })
    },

    async close() {
      client.destroy()
      signer.destroy()
    },
  }
  return store
}

function header({ start, end }: ByteRange): string {
  return `bytes=${start}-${end ?? ''}`
}

function infoOf(answer: { ContentLength?: number; ETag?: string; LastModified?: Date }): ObjectInfo {
  return { size: answer.ContentLength!, etag: answer.ETag!, lastModified: answer.LastModified! }
}
