import { ProjectHeader, projectOf } from '../access/index.ts'
import { operation } from '../http/operation.ts'
import { ref } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import { OneImage } from '../images/index.ts'
import { OneVideo } from '../videos/index.ts'
import { type MakeTokenDeps, makeToken } from './make-token.ts'
import { NewPlaybackToken, NewToken, PlaybackToken } from './playback-schemas.ts'

const tag = 'Private media'
const answers = { 200: ref(PlaybackToken) }

/** Tokens that open private media, for those who may read it. */
export function tokenRoutes(deps: MakeTokenDeps): (app: App) => void {
  return (app) => {
    app.post(
      '/videos/:videoId/playback-token',
      operation({
        tag,
        id: 'createPlaybackToken',
        summary: 'Make a token that plays a private video for a while',
        description:
          'It opens all that belongs to the video: playlists, segments, poster, subtitles, sounds.',
        errors: { 404: 'Video not found' },
        optionalBody: true,
        request: { headers: ProjectHeader, params: OneVideo, body: NewPlaybackToken },
        answers,
      }),
      async (request) => {
        const wanted = { mediaId: request.params.videoId, wanted: request.body }
        return makeToken(request.caller, await projectOf(request, deps.sql), wanted, deps)
      },
    )

    app.post(
      '/images/:imageId/playback-token',
      operation({
        tag,
        id: 'createImageToken',
        summary: 'Make a token that shows a private image for a while, in all its sizes',
        errors: { 404: 'Image not found' },
        optionalBody: true,
        request: { headers: ProjectHeader, params: OneImage, body: NewToken },
        answers,
      }),
      async (request) => {
        const wanted = { mediaId: request.params.imageId, wanted: request.body }
        return makeToken(request.caller, await projectOf(request, deps.sql), wanted, deps)
      },
    )

    app.post(
      '/media/playback-token',
      operation({
        tag,
        id: 'createMediaToken',
        summary: 'Make a token that opens all private media of the project for a while',
        description:
          'For pages that show a list of what is there to those who may see all of it. Viewers get a token of one video or image.',
        optionalBody: true,
        request: { headers: ProjectHeader, body: NewToken },
        answers,
      }),
      async (request) => {
        const wanted = { mediaId: undefined, wanted: request.body }
        return makeToken(request.caller, await projectOf(request, deps.sql), wanted, deps)
      },
    )
  }
}
