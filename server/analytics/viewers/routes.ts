import { ProjectHeader, projectOf } from '../../access/index.ts'
import { operation } from '../../http/operation.ts'
import { ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import { type DeleteViewerDeps, deleteViewer, showDeletion } from './delete-viewer.ts'
import { OneViewer, ViewerDeletion } from './schemas.ts'

export function viewerRoutes(deps: DeleteViewerDeps): (app: App) => void {
  return (app) => {
    app.delete(
      '/analytics/v1/viewers/:viewer_id',
      operation({
        tag: 'Analytics',
        id: 'deleteViewer',
        summary: 'Delete all events that a viewer has sent until now',
        description:
          'From the engine and from the files in which events are kept on their way there. It takes a while: `status` of the deletion says when it is done. Needs `analytics:delete`.',
        request: { headers: ProjectHeader, params: OneViewer },
        answers: { 202: ref(ViewerDeletion) },
      }),
      async (request, reply) => {
        const scope = await projectOf(request, deps.sql)
        const { viewer_id } = request.params
        return reply.code(202).send(await deleteViewer(request.caller, scope, viewer_id, deps))
      },
    )

    app.get(
      '/analytics/v1/viewers/:viewer_id/deletion',
      operation({
        tag: 'Analytics',
        id: 'getViewerDeletion',
        summary: 'Show whether the events of a viewer are deleted yet',
        errors: { 404: 'Not Found' },
        request: { headers: ProjectHeader, params: OneViewer },
        answers: { 200: ref(ViewerDeletion) },
      }),
      async (request) => {
        const scope = await projectOf(request, deps.sql)
        return showDeletion(request.caller, scope, request.params.viewer_id, deps)
      },
    )
  }
}
