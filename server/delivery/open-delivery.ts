import { availableParallelism } from 'node:os'
import { coalesce } from '../base/async/coalesce.ts'
import { fairSemaphore } from '../base/async/fair-semaphore.ts'
import type { CdnUrl } from '../base/cdn-url.ts'
import type { DeliveryDeps } from './deliver-file.ts'
import { hotObjects } from './deliverable.ts'
import { derivedRoutes } from './derived-routes.ts'
import { pictureRoutes } from './picture-routes.ts'
import { deliveryRoutes } from './routes.ts'
import { sizeCache } from './size-cache.ts'
import { tokenRoutes } from './token-routes.ts'

interface DeliverySliceDeps extends Omit<DeliveryDeps, 'sizes' | 'hot' | 'coalesce' | 'previews'> {
  cdnUrl: CdnUrl
  /** The path under which that address is served here. */
  path: string
  /** Pictures in sizes that were asked for. */
  sizes: { folder: string; maxBytes: number }
}

export function openDelivery({ sizes, ...deps }: DeliverySliceDeps) {
  const delivery = {
    ...deps,
    sizes: sizeCache(sizes.folder, sizes.maxBytes),
    hot: hotObjects(),
    coalesce: coalesce(),
    previews: fairSemaphore(availableParallelism()),
  }
  return {
    routes: [
      pictureRoutes(delivery),
      tokenRoutes(delivery),
      deliveryRoutes(delivery),
      derivedRoutes(delivery),
    ],
  }
}
