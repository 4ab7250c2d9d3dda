import { createReadStream } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { badRequest, notFound } from '../base/errors.ts'
import { newIdSuffix } from '../base/ids.ts'
import type { ImagePool } from '../media/images/port.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { findServable, type ServableFile } from '../uploads/files.ts'
import type { HotObjects } from './hot-objects.ts'
import type { shareLookUps } from './share-look-ups.ts'
import type { SizeCache } from './size-cache.ts'
import { CONTENT_TYPES, type ImageFormat, preferredFormat, type SizeQuery } from './size-query.ts'

export interface DeliveryDeps {
  sql: Sql
  objects: ObjectStore
  pool: ImagePool
  sizes: SizeCache
  hot: HotObjects
  shareLookUp: ReturnType<typeof shareLookUps<ServableFile | undefined>>
  workDir: string
}

/** Something that can be sent, whole or in part. */
export interface Deliverable {
  contentType: string
  size: number
  etag: string
  lastModified: Date
  open(range?: Range): Promise<Readable | Buffer>
}

interface Range {
  start: number
  end: number
}

export interface DeliveryRequest {
  projectId: string
  fileId: string
  query: SizeQuery
  accept: string | undefined
}

/** Finds what an address asks for. Reads the record anew each time: what was deleted is gone at once. */
export async function deliverFile(request: DeliveryRequest, deps: DeliveryDeps): Promise<Deliverable> {
  const { projectId, fileId } = request
  const file = await deps.shareLookUp(`${projectId} ${fileId}`, () =>
    findServable(deps.sql, projectId, fileId),
  )
  if (!file) throw notFound()
  const { w, h, fit, q } = request.query
  if (fit && !(w && h)) throw badRequest('query.fit: needs w and h')
  const asked = request.query.format ?? 'auto'
  const format = asked === 'auto' ? preferredFormat(request.accept) : asked
  const isAsKept = format === file.format && !w && !h && !q
  return isAsKept ? asKept(file, deps) : resized(file, format, request.query, deps)
}

function asKept(file: ServableFile, { objects, hot }: DeliveryDeps): Deliverable {
  const { object_key: key, size, etag } = file
  async function open(range?: Range): Promise<Readable> {
    const opened = await objects.get(key, range)
    // Replaced or deleted between the look-up and now; the next request finds what there is.
    if (opened?.size === size) return opened.stream
    opened?.stream.destroy()
    throw notFound()
  }
  return {
    contentType: CONTENT_TYPES[file.format as ImageFormat],
    size,
    etag,
    lastModified: new Date(file.updated_at),
    async open(range) {
      const whole = await hot.get(`${key} ${etag}`, size, async () => buffer(await open()))
      return whole ? part(whole, range) : open(range)
    },
  }
}

function part(whole: Buffer, range: Range | undefined): Buffer {
  return range ? whole.subarray(range.start, range.end + 1) : whole
}

async function resized(
  file: ServableFile,
  format: ImageFormat,
  { w, h, fit = 'contain', q }: SizeQuery,
  deps: DeliveryDeps,
): Promise<Deliverable> {
  // The version it is made of is in the name: a replaced image has other sizes.
  const version = file.etag.replaceAll('"', '')
  const name = `${file.id}-${version}-${w ?? ''}x${h ?? ''}-${fit}-${q ?? ''}.${format}`
  const cached = await deps.sizes.get(name, async (output) => {
    await withLocalCopy(file.object_key, deps, async (input) => {
      await deps.pool.resize({ input, output, width: w, height: h, fit, format, quality: q })
    })
  })
  const { size } = await stat(cached)
  return {
    contentType: CONTENT_TYPES[format],
    size,
    etag: `"${version}-${w ?? ''}x${h ?? ''}-${fit}-${q ?? ''}-${format}"`,
    lastModified: new Date(file.updated_at),
    async open(range) {
      const whole = await deps.hot.get(name, size, () => readFile(cached))
      return whole ? part(whole, range) : createReadStream(cached, range)
    },
  }
}

async function withLocalCopy(
  key: string,
  deps: DeliveryDeps,
  use: (path: string) => Promise<void>,
): Promise<void> {
  const local = deps.objects.localPath(key)
  if (local) return use(local)
  const copy = path.join(deps.workDir, newIdSuffix())
  try {
    if (!(await deps.objects.download(key, copy))) throw notFound()
    await use(copy)
  } finally {
    await rm(copy, { force: true })
  }
}
