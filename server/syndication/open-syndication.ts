import type { CdnUrl } from '../base/cdn-url.ts'
import { responseCache } from '../feeds/index.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { SizeUrl } from './about-post.ts'
import { syndicationRoutes } from './routes.ts'

export interface SyndicationSliceDeps {
  sql: Sql
  cdnUrl: CdnUrl
  /** Where the public finds the service. */
  baseUrl: string
  sizeUrl: SizeUrl
}

const CACHE_BYTES = 16 * 2 ** 20

export function openSyndication(deps: SyndicationSliceDeps) {
  return { routes: [syndicationRoutes({ ...deps, cache: responseCache(CACHE_BYTES) })] }
}
