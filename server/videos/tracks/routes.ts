import { Type } from 'typebox'
import { ProjectHeader, projectOf } from '../../access/index.ts'
import { type FormOptions, formOf, formOperation, formRoutes } from '../../http/multipart.ts'
import { operation } from '../../http/operation.ts'
import { IN_PLACE, partQuery } from '../../http/pagination.ts'
import { Id, ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import {
  AudioTrack,
  AudioTrackList,
  AudioTracks,
  Deletion,
  IdOrLanguage,
  LabelledFile,
  LabelledFiles,
  Language,
} from '../language-schemas.ts'
import { OneVideo } from '../schemas.ts'
import { deleteTracks } from './delete-tracks.ts'
import { listTracks } from './list-tracks.ts'
import { putTrack, replaceTracks, type TrackDeps } from './put-tracks.ts'

const tag = 'Videos'
/** These operations' rows have capitals where others have none. */
const DELETE_WORDS = { 404: 'Not Found', 500: 'Internal Server Error' }

export function trackRoutes(app: App, deps: TrackDeps & FormOptions): void {
  formRoutes(app, (scope) => {
    scope.put(
      '/videos/:videoId/audio-tracks/:lang_code',
      formOperation({
        tag,
        id: 'putAudioTrack',
        summary: 'Add or replace the audio track of a language',
        description:
          'MP3, Opus, FLAC, WAV, AC-3, M4A or AAC, judged by content, under a name that ends in .mp3, .opus, .flac, .wav, .ac3, .m4a or .aac; at most 500 MiB.',
        errors: { 404: 'Not Found' },
        request: {
          headers: ProjectHeader,
          params: Type.Object({ videoId: Id('video'), lang_code: Language }),
          body: LabelledFile,
        },
        answers: { 200: ref(AudioTrack) },
      }),
      async (request) => {
        const { videoId, lang_code: language } = request.params
        const wanted = { videoId, language, useForm: formOf(request, deps) }
        return putTrack(request.caller, await projectOf(request, deps.sql), wanted, deps)
      },
    )

    scope.post(
      '/videos/:videoId/audio-tracks',
      formOperation({
        tag,
        id: 'replaceAudioTracks',
        summary: 'Replace all audio tracks of a video',
        description:
          'MP3, Opus, FLAC, WAV, AC-3, M4A or AAC, judged by content, under names that end in .mp3, .opus, .flac, .wav, .ac3, .m4a or .aac; at most 500 MiB each. Lists pair by position.',
        errors: { 404: 'Not Found' },
        request: { headers: ProjectHeader, params: OneVideo, body: LabelledFiles },
        answers: { 200: ref(AudioTracks) },
      }),
      async (request) => {
        const wanted = { videoId: request.params.videoId, useForm: formOf(request, deps) }
        return replaceTracks(request.caller, await projectOf(request, deps.sql), wanted, deps)
      },
    )
  })

  app.get(
    '/videos/:videoId/audio-tracks',
    operation({
      tag,
      id: 'listAudioTracks',
      summary: 'List the audio tracks that were added to a video, in the order that players offer them in',
      errors: { 404: 'Not Found' },
      request: { headers: ProjectHeader, params: OneVideo, querystring: partQuery(IN_PLACE) },
      answers: { 200: ref(AudioTrackList) },
    }),
    async (request) => {
      const wanted = { videoId: request.params.videoId, part: request.query }
      return listTracks(request.caller, await projectOf(request, deps.sql), wanted, deps)
    },
  )

  app.delete(
    '/videos/:videoId/audio-tracks/:trackId',
    operation({
      tag,
      id: 'deleteAudioTrack',
      summary: 'Delete the audio track of a language, named by it or by its id',
      errors: DELETE_WORDS,
      request: {
        headers: ProjectHeader,
        params: Type.Object({ videoId: Id('video'), trackId: IdOrLanguage }),
      },
      // The address that PUT has: a language is a name that both take.
      pathNames: { trackId: 'lang_code' },
      answers: { 200: ref(Deletion) },
    }),
    async (request) => {
      const { videoId, trackId: track } = request.params
      return deleteTracks(request.caller, await projectOf(request, deps.sql), { videoId, track }, deps)
    },
  )

  app.delete(
    '/videos/:videoId/audio-tracks',
    operation({
      tag,
      id: 'deleteAudioTracks',
      summary: 'Delete all audio tracks of a video',
      errors: DELETE_WORDS,
      request: { headers: ProjectHeader, params: OneVideo },
      answers: { 200: ref(Deletion) },
    }),
    async (request) => {
      const { videoId } = request.params
      return deleteTracks(request.caller, await projectOf(request, deps.sql), { videoId }, deps)
    },
  )
}
