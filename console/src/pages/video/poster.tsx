import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { Section } from '../../components/section.tsx'
import { useNotify } from '../../components/toasts.tsx'
import { usePageCommands } from '../../page-commands.ts'
import { MediaImage } from '../../session/media-image.tsx'
import { words } from '../../words.ts'
import type { Playback } from './player.tsx'
import styles from './poster.module.css'
import { type Video, videoQuery } from './queries.ts'
import { useRefreshInLibrary, useVideo } from './use-video.ts'

/** The poster: any picture of the video, or one that is uploaded. */
export function Poster({ video, playback }: { video: Video; playback: Playback }) {
  const { of, client, videoId, mayWrite } = useVideo()
  const queries = useQueryClient()
  const refreshInLibrary = useRefreshInLibrary()
  const notify = useNotify()
  const file = useRef<HTMLInputElement>(null)
  const path = { videoId }
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (picture: File | number) => {
      const thumbnail =
        typeof picture === 'number'
          ? await client.send(
              'get',
              '/videos/{videoId}/thumbnail',
              { path, query: { time: picture, format: 'jpg' } },
              (response) => response.blob(),
            )
          : picture
      const body = new FormData()
      body.append('thumbnail', thumbnail, picture instanceof File ? picture.name : 'frame.jpg')
      return client.put('/videos/{videoId}/thumbnail', { path, body })
    },
    onSuccess: (answer) => {
      queries.setQueryData(videoQuery(of).queryKey, answer)
      refreshInLibrary()
      notify.done(words.video.posterSet)
    },
    onError: (error) => notify.failed(words.video.posterNotSet, error),
  })
  function useFrame() {
    playback.pause()
    mutate(playback.time())
  }
  const upload = () => file.current?.click()
  const { ofPage: text, also } = words.commands
  usePageCommands([
    mayWrite && { id: 'useFrame', title: text.useFrame, also: also.poster, icon: 'image', run: useFrame },
    mayWrite && {
      id: 'uploadPoster',
      title: text.uploadPoster,
      also: also.poster,
      icon: 'upload',
      run: upload,
    },
  ])
  const { url } = video.poster.file
  return (
    <Section title={words.video.poster}>
      <div className={styles.poster}>
        <MediaImage
          key={url}
          visibility={video.visibility}
          src={`${url}?w=480`}
          alt={words.video.poster}
          style={{ aspectRatio: `${video.width} / ${video.height}` }}
        />
        {mayWrite && (
          <div className={styles.actions}>
            <p>{words.video.posterHint}</p>
            <Button
              icon="image"
              disabled={isPending}
              isBusy={isPending && typeof variables === 'number'}
              onClick={useFrame}
            >
              {words.video.useFrame}
            </Button>
            <Button
              icon="upload"
              disabled={isPending}
              isBusy={isPending && typeof variables !== 'number'}
              onClick={upload}
            >
              {words.video.uploadPoster}
            </Button>
            <input
              ref={file}
              type="file"
              accept="image/*"
              hidden
              aria-label={words.video.uploadPoster}
              onChange={({ target }) => {
                const [picture] = target.files ?? []
                if (picture) mutate(picture)
                target.value = ''
              }}
            />
          </div>
        )}
      </div>
    </Section>
  )
}
