import { Type } from 'typebox'
import { ProjectHeader, projectOf } from '../../access/index.ts'
import { type FormOptions, formOf, formOperation, formRoutes } from '../../http/multipart.ts'
import { operation } from '../../http/operation.ts'
import { IN_PLACE, partQuery } from '../../http/pagination.ts'
import { Id, ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import {
  Deletion,
  IdOrLanguage,
  LabelledFile,
  LabelledFiles,
  Language,
  Subtitle,
  SubtitleList,
  Subtitles,
} from '../language-schemas.ts'
import { OneVideo } from '../schemas.ts'
import { deleteSubtitles } from './delete-subtitles.ts'
import { listSubtitles } from './list-subtitles.ts'
import { putSubtitle, replaceSubtitles, type SubtitleDeps } from './put-subtitles.ts'

const tag = 'Videos'
/** These operations' rows have capitals where others have none. */
const DELETE_WORDS = { 404: 'Not Found', 500: 'Internal Server Error' }

export function subtitleRoutes(app: App, deps: SubtitleDeps & FormOptions): void {
  formRoutes(app, (scope) => {
    scope.put(
      '/videos/:videoId/subtitles/:lang_code',
      formOperation({
        tag,
        id: 'putSubtitle',
        summary: 'Add or replace the subtitles of a language',
        description:
          'SubRip or WebVTT, judged by content, under a name that ends in .srt or .vtt; at most 10 MiB.',
        errors: { 404: 'Not Found' },
        request: {
          headers: ProjectHeader,
          params: Type.Object({ videoId: Id('video'), lang_code: Language }),
          body: LabelledFile,
        },
        answers: { 200: ref(Subtitle) },
      }),
      async (request) => {
        const { videoId, lang_code: language } = request.params
        const wanted = { videoId, language, useForm: formOf(request, deps) }
        return putSubtitle(request.caller, await projectOf(request, deps.sql), wanted, deps)
      },
    )

    scope.post(
      '/videos/:videoId/subtitles',
      formOperation({
        tag,
        id: 'replaceSubtitles',
        summary: 'Replace all subtitles of a video',
        description:
          'SubRip or WebVTT, judged by content, under names that end in .srt or .vtt; at most 10 MiB each. Lists pair by position.',
        errors: { 404: 'Not Found' },
        request: { headers: ProjectHeader, params: OneVideo, body: LabelledFiles },
        answers: { 200: ref(Subtitles) },
      }),
      async (request) => {
        const wanted = { videoId: request.params.videoId, useForm: formOf(request, deps) }
        return replaceSubtitles(request.caller, await projectOf(request, deps.sql), wanted, deps)
      },
    )
  })

  app.get(
    '/videos/:videoId/subtitles',
    operation({
      tag,
      id: 'listSubtitles',
      summary: 'List the subtitles of a video, in the order that players offer them in',
      errors: { 404: 'Not Found' },
      request: { headers: ProjectHeader, params: OneVideo, querystring: partQuery(IN_PLACE) },
      answers: { 200: ref(SubtitleList) },
    }),
    async (request) => {
      const wanted = { videoId: request.params.videoId, part: request.query }
      return listSubtitles(request.caller, await projectOf(request, deps.sql), wanted, deps)
    },
  )

  app.delete(
    '/videos/:videoId/subtitles/:subtitleId',
    operation({
      tag,
      id: 'deleteSubtitle',
      summary: 'Delete the subtitles of a language, named by it or by its id',
      errors: DELETE_WORDS,
      request: {
        headers: ProjectHeader,
        params: Type.Object({ videoId: Id('video'), subtitleId: IdOrLanguage }),
      },
      // The address that PUT has: a language is a name that both take.
      pathNames: { subtitleId: 'lang_code' },
      answers: { 200: ref(Deletion) },
    }),
    async (request) => {
      const { videoId, subtitleId: subtitle } = request.params
      return deleteSubtitles(request.caller, await projectOf(request, deps.sql), { videoId, subtitle }, deps)
    },
  )

  app.delete(
    '/videos/:videoId/subtitles',
    operation({
      tag,
      id: 'deleteSubtitles',
      summary: 'Delete all subtitles of a video',
      errors: DELETE_WORDS,
      request: { headers: ProjectHeader, params: OneVideo },
      answers: { 200: ref(Deletion) },
    }),
    async (request) => {
      const { videoId } = request.params
      return deleteSubtitles(request.caller, await projectOf(request, deps.sql), { videoId }, deps)
    },
  )
}
