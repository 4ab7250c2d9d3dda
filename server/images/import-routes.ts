import { ProjectHeader, projectOf, type StorageDeps } from '../access/index.ts'
import { operation } from '../http/operation.ts'
import { ref } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import type { JobQueue } from '../platform/jobs/port.ts'
import type { ImportDeps, UploadDeps } from '../uploads/index.ts'
import { importImage, showImageProgress } from './import-image.ts'
import { ImageProgress, ImportedImage, ImportImage, OneImage } from './schemas.ts'

const tag = 'Images'

/** Images that the service fetches itself. */
export function importRoutes(
  deps: UploadDeps & StorageDeps & ImportDeps & { jobs: Pick<JobQueue, 'enqueue'> },
): (app: App) => void {
  return (app) => {
    app.post(
      '/images/import',
      operation({
        tag,
        id: 'importImage',
        summary: 'Have the service fetch an image from an address',
        description:
          'In place of an upload and its completion: the image is ready once it has come. Its `progress` tells how far that is, or why it failed; deleting the image gives it up. What is cut off goes on where it was.',
        request: { headers: ProjectHeader, body: ImportImage },
        answers: { 202: ref(ImportedImage) },
      }),
      async (request, reply) => {
        const scope = await projectOf(request, deps.sql)
        return reply.code(202).send(await importImage(request.caller, scope, request.body, deps))
      },
    )

    app.get(
      '/images/:imageId/progress',
      operation({
        tag,
        id: 'getImageProgress',
        summary: 'Tell how far an image is that the service fetches',
        errors: { 404: 'Image not found' },
        request: { headers: ProjectHeader, params: OneImage },
        answers: { 200: ref(ImageProgress) },
      }),
      async (request) =>
        showImageProgress(
          request.caller,
          await projectOf(request, deps.sql),
          request.params.imageId,
          deps.sql,
        ),
    )
  }
}
