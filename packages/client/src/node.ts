import { openAsBlob } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Client,
  type Upload,
  type UploadOptions,
  type UploadSource,
  uploads as uploadsOfContent,
} from './index.ts'

export * from './index.ts'

/** Also takes the path of a file, which is read as it is sent. */
export type StartFileUpload = (
  source: string | URL | UploadSource | Promise<UploadSource>,
  options?: UploadOptions,
) => Upload

export function uploads(client: Client, options?: { concurrency?: number }): StartFileUpload {
  const start = uploadsOfContent(client, options)
  return (source, more) =>
    start(typeof source === 'string' || source instanceof URL ? fileAt(source) : source, more)
}

/** The file at a path, with its name and its type, found by its first bytes. */
export async function fileAt(location: string | URL): Promise<File> {
  const file = location instanceof URL ? fileURLToPath(location) : location
  const type = await mediaTypeOf(file)
  return new File([await openAsBlob(file)], path.basename(file), { type })
}

const HEAD_BYTES = 12

/** `image/…` or `video/…`, or nothing where the first bytes are neither's. */
async function mediaTypeOf(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return SIGNATURES.find(([pattern]) => pattern.test(buffer.toString('latin1')))?.[1] ?? ''
  } finally {
    await handle.close()
  }
}

const SIGNATURES: [RegExp, string][] = [
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^\x89PNG/, 'image/png'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
  [/^GIF8/, 'image/gif'],
  [/^.{4}ftypavi[fs]/s, 'image/avif'],
  [/^.{4}ftyp(hei[cxms]|hev[cx]|mif1|msf1)/s, 'image/heic'],
  [/^.{4}ftypqt/s, 'video/quicktime'],
  [/^.{4}(ftyp|moov|mdat|wide|free|skip)/s, 'video/mp4'],
  [/^\x1aE\xdf\xa3/, 'video/webm'],
  [/^RIFF.{4}AVI/s, 'video/x-msvideo'],
]
