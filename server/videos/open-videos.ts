import { availableParallelism } from 'node:os'
import { fairSemaphore } from '../base/async/fair-semaphore.ts'
import { singleFlight } from '../base/async/single-flight.ts'
import type { ImageId, ProjectId } from '../base/ids.ts'
import { handle, type JobQueue } from '../platform/jobs/port.ts'
import { enqueueFill, type Transcoder } from '../transcoding/index.ts'
import type { FetchDeps, ImportDeps } from '../uploads/index.ts'
import { clipRoutes } from './clips/routes.ts'
import type { CompleteVideoDeps } from './complete-video.ts'
import { type DropPosterDeps, dropPoster } from './drop-poster.ts'
import { IMPORT_VIDEO, videoImporter } from './import-video.ts'
import { processingRoutes } from './processing-routes.ts'
import { type VideoDeps, videoRoutes } from './routes.ts'

type VideosSliceDeps = Omit<VideoDeps, 'fill' | 'transcoder'> &
  DropPosterDeps &
  ImportDeps &
  FetchDeps & { jobs: JobQueue; transcoder: Transcoder }

/** As many read and write as fast as a disk does; more would only take the turns of each other. */
const COPIES = 2

export function openVideos(deps: VideosSliceDeps) {
  const { jobs, transcoder } = deps
  const completion = {
    ...deps,
    sources: transcoder.sources,
    singleFlight: singleFlight(),
    studies: fairSemaphore(availableParallelism() + 1),
  } satisfies CompleteVideoDeps
  const stopping = new AbortController()
  return {
    /** What a post completes its videos with. */
    completion,
    dropPoster: (poster: { projectId: ProjectId; imageId: ImageId }) => dropPoster(poster, deps),
    routes: [
      videoRoutes({ ...deps, fill: (tx, file) => enqueueFill(jobs, tx, file) }),
      processingRoutes(completion),
      clipRoutes({ ...completion, copies: fairSemaphore(COPIES) }),
    ],
    jobs: [handle(IMPORT_VIDEO, videoImporter({ ...completion, stopping: stopping.signal }))],
    async close() {
      stopping.abort(new Error('the service is stopping'))
    },
  }
}
