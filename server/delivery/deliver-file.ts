import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { PlaybackTokens } from '../access/index.ts'
import type { Coalesce } from '../base/async/coalesce.ts'
import { CACHING } from '../base/caching.ts'
import type { CdnUrl } from '../base/cdn-url.ts'
import { badRequest, notFound } from '../base/errors.ts'
import type { FileId, ProjectId } from '../base/ids.ts'
import { findPreset, focalPointOf, type SizeFormat, type SizeOptions } from '../images/index.ts'
import type { ImagePool } from '../media/images/port.ts'
import { findServable, type ServableFile } from '../uploads/index.ts'
import { admit, privately, type ShownToken, type Viewing } from './admit.ts'
import { type Deliverable, objectDeliverable, part } from './deliverable.ts'
import { deliverHls, type HlsDeps, type HlsQuery } from './hls/deliver-hls.ts'
import { isWhole, nameOf, type Size, sizeOf } from './size.ts'
import type { SizePermission } from './size-permission.ts'
import { CONTENT_TYPES, preferredFormat, type SizeQuery } from './size-query.ts'
import { withSizeSource } from './size-source.ts'

export interface DeliveryDeps extends HlsDeps {
  cdnUrl: CdnUrl
  pool: ImagePool
  permission: SizePermission
  coalesce: Coalesce
  workDir: string
  playbackTokens: PlaybackTokens
}

export interface DeliveryRequest {
  projectId: ProjectId
  fileId: FileId
  /** What comes below the file's own address, of a video; undefined for that address itself. */
  rest?: string
  query: SizeQuery & HlsQuery
  accept: string | undefined
  shown: ShownToken
  /** That the request came to. */
  host: string
  /** When whoever asked has gone. */
  signal: AbortSignal
}

/**
 * Finds what an address asks for. Reads the record anew each time: what was deleted is gone at once, and what is private
 * from now on needs a token.
 */
export async function deliverFile(request: DeliveryRequest, deps: DeliveryDeps): Promise<Deliverable> {
  const { projectId, fileId } = request
  // What is under the domain of a project is the project’s.
  if ((deps.cdnUrl.ownerOf(request.host) ?? projectId) !== projectId) throw notFound()
  const file = await deps.coalesce(`${projectId} ${fileId}`, () => findServable(deps.sql, projectId, fileId))
  if (!file) throw notFound()
  const viewing = await admit(file, request.shown, deps.playbackTokens)
  const found = await deliver(file, { ...request, viewing }, deps)
  return viewing ? { ...found, caching: privately(found.caching, viewing) } : found
}

async function deliver(
  file: ServableFile,
  request: DeliveryRequest & { viewing: Viewing | undefined },
  deps: DeliveryDeps,
): Promise<Deliverable> {
  const { rest, query, signal, viewing } = request
  if (file.format === 'hls') return deliverHls(file, { rest: rest ?? '', query, viewing }, deps, signal)
  if (rest !== undefined) throw notFound()
  return deliverImage(file, request, deps)
}

/** An image, in the size and format asked for. */
export async function deliverImage(
  file: ServableFile,
  request: Pick<DeliveryRequest, 'query' | 'accept'>,
  deps: DeliveryDeps,
): Promise<Deliverable> {
  const options = await optionsOf(file.project_id, request.query, deps)
  const size = sizeOf(options)
  const asked = options.format ?? 'auto'
  const format = asked === 'auto' ? preferredFormat(request.accept, moves(file)) : asked
  if (format === file.format && isWhole(size)) return asKept(file, deps)
  const gravity = size.gravity ?? (size.fit === 'cover' ? await focalPointOf(deps.sql, file.id) : undefined)
  return resized(file, format, gravity ? { ...size, gravity } : size, deps)
}

/** What a query asks for by itself, or by the name of a preset. */
async function optionsOf(
  projectId: ProjectId,
  { preset, signature: _, ...query }: SizeQuery,
  { sql, coalesce }: Pick<DeliveryDeps, 'sql' | 'coalesce'>,
): Promise<SizeOptions> {
  if (preset === undefined) return query
  const { dpr, format, ...rest } = query
  if (Object.values(rest).some((value) => value !== undefined))
    throw badRequest('query.preset: only dpr and format go with it')
  const found = await coalesce(`preset ${projectId} ${preset}`, () => findPreset(sql, projectId, preset))
  if (!found) throw notFound('the project has no such preset')
  return { ...found, ...(dpr && { dpr }), ...(format && { format }) }
}

/** All that stands still is kept as AVIF. */
const moves = (file: ServableFile) => file.format === 'webp'

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
  size: Size,
  deps: DeliveryDeps,
): Promise<Deliverable> {
  // The version it is made of is in the name: a replaced image has other sizes.
  const version = `${file.id}-${file.etag.replaceAll('"', '')}`
  const lastModified = new Date(file.updated_at)
  return sizedPicture(
    { projectId: file.project_id, version, lastModified, format, size, caching: CACHING.image },
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
  size: Size
  caching: string
}

/** A picture in a size and format, made when it is first asked for. */
export async function sizedPicture(
  { projectId, version, lastModified, format, size, caching }: SizedPicture,
  deps: Pick<DeliveryDeps, 'sizes' | 'hot' | 'pool'>,
  withPicture: (use: (path: string) => Promise<void>) => Promise<void>,
): Promise<Deliverable> {
  const name = `${version}-${nameOf(size)}.${format}`
  const cached = await deps.sizes.get(name, async (output) => {
    await withPicture(async (input) => {
      await deps.pool.resize({ input, output, tenant: projectId, format, ...size })
    })
  })
  const { size: bytes } = await stat(cached)
  return {
    contentType: CONTENT_TYPES[format],
    size: bytes,
    etag: `"${name}"`,
    lastModified,
    caching,
    async open(range) {
      const whole = await deps.hot.get(name, bytes, () => readFile(cached))
      return whole ? part(whole, range) : createReadStream(cached, range)
    },
  }
}
