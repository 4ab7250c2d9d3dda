import { projectOf } from '../../access/projects/resolve-project.ts'
import { ProjectHeader } from '../../access/projects/schemas.ts'
import { operation } from '../../http/operation.ts'
import type { App } from '../../http/types.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { Chapters, NewChapters, OneVideo } from '../schemas.ts'
import { setChapters } from './set-chapters.ts'

const tag = 'Videos'

export function chapterRoutes(app: App, deps: { sql: Sql }): void {
  app.put(
    '/videos/:videoId/chapters',
    operation({
      tag,
      summary: 'Set the chapters of a video',
      description: 'In order; each ends where the next begins, the last with the video.',
      errors: { 404: 'Not Found' },
      request: { headers: ProjectHeader, params: OneVideo, body: NewChapters },
      answers: { 200: Chapters },
    }),
    async (request) =>
      setChapters(
        request.caller,
        await projectOf(request, deps.sql),
        { videoId: request.params.videoId, marks: request.body.chapters },
        deps,
      ),
  )

  app.delete(
    '/videos/:videoId/chapters',
    operation({
      tag,
      summary: 'Remove all chapters of a video',
      errors: {
        401: 'Unauthorized - Invalid API key',
        403: 'Access denied',
        404: 'Video not found',
        500: 'Failed to delete chapters',
      },
      request: { headers: ProjectHeader, params: OneVideo },
      answers: { 200: Chapters },
    }),
    async (request) =>
      setChapters(
        request.caller,
        await projectOf(request, deps.sql),
        { videoId: request.params.videoId, marks: [] },
        deps,
      ),
  )
}
