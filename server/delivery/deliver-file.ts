import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { Coalesce } from '../base/async/coalesce.ts'
import { CACHING } from '../base/caching.ts'
import { badRequest, notFound } from '../base/errors.ts'
import type { FileId, ProjectId } from '../base/ids.ts'
import type { ImagePool } from '../media/images/port.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { Transcoder } from '../transcoding/index.ts'
import { findServable, type ServableFile } from '../uploads/index.ts'
import { type Deliverable, type HotObjects, objectDeliverable, part } from './deliverable.ts'
import { deliverHls } from './hls/deliver-hls.ts'
import type { SizeCache } from './size-cache.ts'
import { CONTENT_TYPES, preferredFormat, type SizeFormat, type SizeQuery } from './size-query.ts'
import { withSizeSource } from './size-source.ts'

export interface DeliveryDeps {
  sql: Sql
  objects: ObjectStore
  pool: ImagePool
  sizes: SizeCache
  hot: HotObjects
  coalesce: Coalesce
  workDir: string
  transcoder: Transcoder
}

export interface DeliveryRequest {
  projectId: ProjectId
  fileId: FileId
  /** What comes below the file's own address, of a video; undefined for that address itself. */
  rest?: string
  query: SizeQuery
  accept: string | undefined
  /** When whoever asked has gone. */
  signal: AbortSignal
}

/** Finds what an address asks for. Reads the record anew each time: what was deleted is gone at once. */
export async function deliverFile(request: DeliveryRequest, deps: DeliveryDeps): Promise<Deliverable> {
  const { projectId, fileId } = request
  const file = await deps.coalesce(`${projectId} ${fileId}`, () => findServable(deps.sql, projectId, fileId))
  if (!file) throw notFound()
  if (file.format === 'hls') return deliverHls(file, request.rest ?? '', deps, request.signal)
  if (request.rest !== undefined) throw notFound()
  return deliverImage(file, request, deps)
}

/** An image, in the size and format asked for. */
export async function deliverImage(
  file: ServableFile,
  request: Pick<DeliveryRequest, 'query' | 'accept'>,
  deps: DeliveryDeps,
): Promise<Deliverable> {
  const { w, h, fit, q } = request.query
  if (fit && !(w && h)) throw badRequest('query.fit: needs w and h')
  const asked = request.query.format ?? 'auto'
  const format = asked === 'auto' ? preferredFormat(request.accept) : asked
  const isAsKept = format === file.format && !w && !h && !q
  return isAsKept ? asKept(file, deps) : resized(file, format, request.query, deps)
}

function asKept(file: ServableFile, deps: DeliveryDeps): Deliverable {
  return objectDeliverable(
    {
      key: file.object_key,
      contentType: CONTENT_TYPES[file.format as SizeFormat],
      size: file.size,
      etag: file.etag,
      lastModified: new Date(file.updated_at),
      caching: CACHING.image,
    },
    deps,
  )
}

function resized(
  file: ServableFile,
  format: SizeFormat,
  query: SizeQuery,
  deps: DeliveryDeps,
): Promise<Deliverable> {
  // The version it is made of is in the name: a replaced image has other sizes.
  const version = `${file.id}-${file.etag.replaceAll('"', '')}`
  const lastModified = new Date(file.updated_at)
  return sizedPicture(
    { projectId: file.project_id, version, lastModified, format, query, caching: CACHING.image },
    deps,
    (use) => withSizeSource(file, deps, use),
  )
}

export interface SizedPicture {
  projectId: ProjectId
  /** Another one for every picture and every version of it. */
  version: string
  lastModified: Date
  format: SizeFormat
  query: SizeQuery
  caching: string
}

/** A picture in a size and format, made when it is first asked for. */
export async function sizedPicture(
  { projectId, version, lastModified, format, query, caching }: SizedPicture,
  deps: Pick<DeliveryDeps, 'sizes' | 'hot' | 'pool'>,
  withPicture: (use: (path: string) => Promise<void>) => Promise<void>,
): Promise<Deliverable> {
  const { w, h, fit = 'contain', q } = query
  const name = `${version}-${w ?? ''}x${h ?? ''}-${fit}-${q ?? ''}.${format}`
  const cached = await deps.sizes.get(name, async (output) => {
    await withPicture(async (input) => {
      const size = { width: w, height: h, fit, format, quality: q }
      await deps.pool.resize({ input, output, tenant: projectId, ...size })
    })
  })
  const { size } = await stat(cached)
  return {
    contentType: CONTENT_TYPES[format],
    size,
    etag: `"${name}"`,
    lastModified,
    caching,
    async open(range) {
      const whole = await deps.hot.get(name, size, () => readFile(cached))
      return whole ? part(whole, range) : createReadStream(cached, range)
    },
  }
}
