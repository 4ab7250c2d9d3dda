import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from '../../components/toasts.tsx'
import { opened } from '../../session/use-opened.ts'
import { words } from '../../words.ts'
import type { Playback } from './player.tsx'
import { type Track, type TrackKind, tracksQuery } from './queries.ts'
import { useOpening, useVideo } from './use-video.ts'

interface NewTrack {
  language: string
  label: string
  file: Blob
  fileName: string
  /** Stops sending it. */
  signal?: AbortSignal
}

/** Adds and deletes subtitles or audio tracks; the player has them from then on. */
export function useTracks(kind: TrackKind, playback: Playback) {
  const { of, client, videoId } = useVideo()
  const { token } = useOpening()
  const queries = useQueryClient()
  const notify = useNotify()
  const { queryKey } = tracksQuery(of, kind)
  const changed = async () => {
    await queries.invalidateQueries({ queryKey })
    playback.reload()
  }

  async function add({ language, label, file, fileName, signal }: NewTrack): Promise<void> {
    const body = new FormData()
    body.append('label', label)
    body.append('file', file, fileName)
    const path = { videoId, lang_code: language }
    const request = { path, body, timeout: 0, ...(signal && { signal }) }
    if (kind === 'subtitles') await client.put('/videos/{videoId}/subtitles/{lang_code}', request)
    else await client.put('/videos/{videoId}/audio-tracks/{lang_code}', request)
    await changed()
  }

  async function remove(track: Track): Promise<void> {
    const { id, language_code, label, url } = track
    queries.setQueryData(queryKey, (tracks) => tracks?.filter((one) => one.id !== id))
    try {
      // To put it back where the deletion is taken back.
      const kept = await fetch(opened(url, token)).then((response) =>
        response.ok ? response.blob() : undefined,
      )
      const path = { videoId, lang_code: language_code }
      if (kind === 'subtitles') await client.delete('/videos/{videoId}/subtitles/{lang_code}', { path })
      else await client.delete('/videos/{videoId}/audio-tracks/{lang_code}', { path })
      // Subtitles are kept as WebVTT, whatever they came as.
      const fileName = kind === 'subtitles' ? track.name.replace(/(\.\w+)?$/, '.vtt') : track.name
      const undo = kept && (() => void putBack({ language: language_code, label, file: kept, fileName }))
      notify.done(words.video.trackRemoved(label), undo)
    } catch (error) {
      notify.failed(words.video.trackNotRemoved, error)
    }
    await changed()
  }

  const putBack = (track: NewTrack) =>
    add(track).catch((error) => notify.failed(words.video.trackNotBack, error))

  return { add, remove }
}
