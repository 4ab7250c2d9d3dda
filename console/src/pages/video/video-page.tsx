import { useQuery } from '@tanstack/react-query'
import { Addresses } from '../../components/addresses.tsx'
import { Ago } from '../../components/ago.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { DeleteMedia } from '../../components/delete-media.tsx'
import { Facts } from '../../components/facts.tsx'
import { type MediaChanges, MediaDescription, withChanges } from '../../components/media-description.tsx'
import { MediaHeader } from '../../components/media-header.tsx'
import { MediaPending } from '../../components/media-pending.tsx'
import { Page } from '../../components/page.tsx'
import { Columns, Section } from '../../components/section.tsx'
import { Uses } from '../../components/uses.tsx'
import { type Visibility, VisibilitySelect } from '../../components/visibility.tsx'
import { formatBytes, formatDecimal, shortId } from '../../format.ts'
import { usePageCommands } from '../../page-commands.ts'
import { saveAddress } from '../../save-file.ts'
import { opened, useMediaToken } from '../../session/use-opened.ts'
import { usePermission } from '../../session/use-project.ts'
import { formatDuration } from '../../timecode.ts'
import { words } from '../../words.ts'
import { ChapterLane } from './chapter-lane.tsx'
import { ChapterList } from './chapter-list.tsx'
import { usePlayback, VideoPlayer } from './player.tsx'
import { Poster } from './poster.tsx'
import { Progress } from './progress.tsx'
import { type Video, videoQuery } from './queries.ts'
import { Retention } from './retention.tsx'
import { Tracks } from './tracks.tsx'
import { useSetChapters } from './use-chapters.ts'
import { useChangeVideo, useRefreshInLibrary, useVideo } from './use-video.ts'

export function VideoPage() {
  const { of } = useVideo()
  const { data: video, error, refetch } = useQuery(videoQuery(of))
  if (video) return <LoadedVideo key={video.id} video={video} />
  return <MediaPending kind="video" error={error} onRetry={() => void refetch()} />
}

function LoadedVideo({ video }: { video: Video }) {
  const { client, videoId, mayWrite } = useVideo()
  const may = usePermission()
  const [playback, setElement] = usePlayback()
  const setChapters = useSetChapters()
  const change = useChangeVideo<MediaChanges>({
    send: (body) => client.patch('/videos/{videoId}', { path: { videoId }, body }),
    show: withChanges,
    onSaved: useRefreshInLibrary(),
  })
  const { file, duration, chapters, description = '' } = video
  const token = useMediaToken(video.visibility)
  usePageCommands([
    {
      id: 'download',
      title: words.commands.ofPage.download,
      also: words.commands.also.download,
      icon: 'video',
      run: () => saveAddress(opened(`${file.url}/download.mp4`, token)),
    },
  ])
  const onChange = mayWrite ? setChapters : undefined
  return (
    <Page
      title={file.name}
      heading={
        <MediaHeader
          name={file.name}
          onRename={mayWrite ? (name) => change({ name }) : undefined}
          actions={may('videos:delete') && <DeleteMedia kind="video" id={video.id} name={file.name} />}
        />
      }
    >
      <Columns
        main={
          <>
            <VideoPlayer video={video} onElement={setElement} />
            <Retention duration={duration} playback={playback}>
              <ChapterLane chapters={chapters} duration={duration} onChange={onChange} />
            </Retention>
            <Progress />
            <MediaDescription
              text={description}
              onSave={mayWrite ? (text) => change({ description: text }) : undefined}
            />
            <ChapterList chapters={chapters} duration={duration} playback={playback} onChange={onChange} />
          </>
        }
        side={
          <>
            <Details
              video={video}
              onVisibility={mayWrite ? (visibility) => change({ visibility }) : undefined}
            />
            <Poster video={video} playback={playback} />
            <Tracks kind="subtitles" playback={playback} />
            <Tracks kind="audio-tracks" playback={playback} />
            <Section title={words.media.addresses}>
              <Addresses addresses={addressesOf(video)} />
            </Section>
            <Uses kind="video" id={video.id} />
          </>
        }
      />
    </Page>
  )
}

function Details({
  video,
  onVisibility,
}: {
  video: Video
  onVisibility: ((visibility: Visibility) => void) | undefined
}) {
  const { id, file, duration, width, height, codec, framerate, hdr, visibility, created_at } = video
  return (
    <Section title={words.media.details}>
      <Facts
        facts={[
          { name: words.video.length, value: formatDuration(duration) },
          { name: words.media.picture, value: words.media.pixels(width, height) },
          {
            name: words.video.codec,
            value: hdr ? `${codec} · ${words.video.hdr}` : codec,
          },
          { name: words.video.frameRate, value: words.video.perSecond(rateOf(framerate)) },
          { name: words.media.size, value: formatBytes(file.size) },
          {
            name: words.media.created,
            value: <Ago at={created_at} />,
          },
          {
            name: words.media.id,
            value: (
              <>
                <code>{shortId(id)}</code>
                <CopyButton text={id} />
              </>
            ),
          },
        ]}
      />
      <VisibilitySelect value={visibility} onChange={onVisibility} />
    </Section>
  )
}

/** A rational as people say it: 30000/1001 is 29.97. */
function rateOf(framerate: string): string {
  const [pictures = 0, seconds = 1] = framerate.split('/').map(Number)
  return formatDecimal(pictures / seconds)
}

function addressesOf({ id, file, poster }: Video) {
  const { origin } = location
  return [
    { name: words.video.hls, text: `${file.url}/master.m3u8` },
    { name: words.video.thumbnail, text: poster.file.url },
    { name: words.video.storyboard, text: `${file.url}/storyboard.vtt` },
    { name: words.video.sound, text: `${file.url}/audio.m4a` },
    {
      name: words.video.embed,
      text: [
        `<script type="module" src="${origin}/sdk/player/index.js"></script>`,
        `<marquee-player src="${file.url}"></marquee-player>`,
      ].join('\n'),
    },
    { name: words.video.curl, text: `curl ${origin}/videos/${id} -H "X-API-Key: $MARQUEE_API_KEY"` },
  ]
}
