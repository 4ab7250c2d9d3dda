import { Type } from 'typebox'
import { ProjectHeader, projectOf } from '../../access/index.ts'
import { operation } from '../../http/operation.ts'
import { ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { Chapters, NewChapters, OneVideo } from '../schemas.ts'
import { deleteChapter } from './delete-chapter.ts'
import { setChapters } from './set-chapters.ts'
import { showChapters } from './show-chapters.ts'

const tag = 'Videos'

/** As the interface words them for the deletion of all. */
const DELETE_WORDS = {
  401: 'Unauthorized - Invalid API key',
  403: 'Access denied',
  404: 'Video not found',
  500: 'Failed to delete chapters',
}
const OneChapter = Type.Object({
  ...OneVideo.properties,
  index: Type.Integer({
    minimum: 0,
    maximum: 999,
    description: 'its place in the list, counted from 0',
    examples: [0],
  }),
})

export function chapterRoutes(app: App, deps: { sql: Sql }): void {
  app.get(
    '/videos/:videoId/chapters',
    operation({
      tag,
      id: 'listChapters',
      summary: 'List the chapters of a video',
      errors: { 404: 'Not Found' },
      request: { headers: ProjectHeader, params: OneVideo },
      answers: { 200: ref(Chapters) },
    }),
    async (request) =>
      showChapters(request.caller, await projectOf(request, deps.sql), request.params.videoId, deps),
  )

  app.put(
    '/videos/:videoId/chapters',
    operation({
      tag,
      id: 'setChapters',
      summary: 'Set the chapters of a video',
      description: 'In order; each ends where the next begins, the last with the video.',
      errors: { 404: 'Not Found' },
      request: { headers: ProjectHeader, params: OneVideo, body: NewChapters },
      answers: { 200: ref(Chapters) },
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
      id: 'deleteChapters',
      summary: 'Remove all chapters of a video',
      errors: DELETE_WORDS,
      request: { headers: ProjectHeader, params: OneVideo },
      answers: { 200: ref(Chapters) },
    }),
    async (request) =>
      setChapters(
        request.caller,
        await projectOf(request, deps.sql),
        { videoId: request.params.videoId, marks: [] },
        deps,
      ),
  )

  app.delete(
    '/videos/:videoId/chapters/:index',
    operation({
      tag,
      id: 'deleteChapter',
      summary: 'Remove one chapter of a video; the chapter before it goes on through its time',
      description: 'Answers the chapters that remain.',
      errors: { ...DELETE_WORDS, 404: 'Not Found' },
      request: { headers: ProjectHeader, params: OneChapter },
      answers: { 200: ref(Chapters) },
    }),
    async (request) =>
      deleteChapter(request.caller, await projectOf(request, deps.sql), request.params, deps),
  )
}
