import type { StorageDeps } from '../access/index.ts'
import { singleFlight } from '../base/async/single-flight.ts'
import { handle } from '../platform/jobs/port.ts'
import type { FetchDeps, ImportDeps, UploadDeps } from '../uploads/index.ts'
import type { CompleteImageDeps } from './complete-image.ts'
import type { DeleteImageDeps } from './delete-image.ts'
import { IMPORT_IMAGE, imageImporter } from './import-image.ts'
import { importRoutes } from './import-routes.ts'
import { OPTIMISE, optimiseImage } from './optimise-image.ts'
import { imageRoutes } from './routes.ts'
import { sizeRoutes } from './sizes/routes.ts'

type ImagesSliceDeps = UploadDeps &
  StorageDeps &
  DeleteImageDeps &
  ImportDeps &
  FetchDeps &
  Omit<CompleteImageDeps, 'singleFlight'>

export function openImages(deps: ImagesSliceDeps) {
  const completion: CompleteImageDeps = { ...deps, singleFlight: singleFlight() }
  const stopping = new AbortController()
  const importing = { ...completion, ...deps, stopping: stopping.signal }
  return {
    /** What a post completes its images with. */
    completion,
    routes: [imageRoutes({ ...deps, ...completion }), importRoutes(deps), sizeRoutes(deps)],
    jobs: [handle(OPTIMISE, optimiseImage(deps)), handle(IMPORT_IMAGE, imageImporter(importing))],
    async close() {
      stopping.abort(new Error('the service is stopping'))
    },
  }
}
