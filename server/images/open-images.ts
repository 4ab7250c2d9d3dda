import type { StorageDeps } from '../access/index.ts'
import { singleFlight } from '../base/async/single-flight.ts'
import { handle } from '../platform/jobs/port.ts'
import type { UploadDeps } from '../uploads/index.ts'
import type { CompleteImageDeps } from './complete-image.ts'
import type { DeleteImageDeps } from './delete-image.ts'
import { OPTIMISE, optimiseImage } from './optimise-image.ts'
import { imageRoutes } from './routes.ts'
import { sizeRoutes } from './sizes/routes.ts'

type ImagesSliceDeps = UploadDeps & StorageDeps & DeleteImageDeps & Omit<CompleteImageDeps, 'singleFlight'>

export function openImages(deps: ImagesSliceDeps) {
  const completion: CompleteImageDeps = { ...deps, singleFlight: singleFlight() }
  return {
    /** What a post completes its images with. */
    completion,
    routes: [imageRoutes({ ...deps, ...completion }), sizeRoutes(deps)],
    jobs: [handle(OPTIMISE, optimiseImage(deps))],
  }
}
