import type { MarqueePlayer } from '@marquee/player'
import type {} from '@marquee/player/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { opened, useMediaToken } from '../../session/use-opened.ts'
import styles from './player.module.css'
import type { Chapter, Video } from './queries.ts'

/** The service's own, as every page of others loads it. */
const SCRIPT = '/sdk/player/index.js'

/** A player in this page, and what the parts around it do with it. */
export interface Playback {
  element: MarqueePlayer | null
  time(): number
  seek(seconds: number): void
  pause(): void
  /** Reads the playlist again, where something was added to it. */
  reload(): void
}

export function usePlayback(): [Playback, (element: MarqueePlayer | null) => void] {
  const [element, setElement] = useState<MarqueePlayer | null>(null)
  const playback: Playback = {
    element,
    time: () => element?.media?.currentTime ?? 0,
    seek: (seconds) => {
      if (!element?.media) return
      const { media } = element
      if (media.readyState > 0) media.currentTime = seconds
      else media.addEventListener('loadedmetadata', () => (media.currentTime = seconds), { once: true })
    },
    pause: () => element?.pause?.(),
    reload: () => {
      const { player, media } = element ?? {}
      if (player?.source && media) void player.load(player.source, { at: media.currentTime })
    },
  }
  return [playback, setElement]
}

export function VideoPlayer({
  video,
  onElement,
}: {
  video: Video
  onElement: (element: MarqueePlayer | null) => void
}) {
  const element = useRef<MarqueePlayer>(null)
  const [isDefined, setDefined] = useState(() => customElements.get('marquee-player') !== undefined)
  useEffect(() => {
    if (!isDefined) import(/* @vite-ignore */ SCRIPT).then(() => setDefined(true))
  }, [isDefined])
  useEffect(() => {
    if (!isDefined) return
    onElement(element.current)
    return () => onElement(null)
  }, [isDefined, onElement])
  useChapters(isDefined ? element.current : null, video.chapters)

  const { width, height, visibility } = video
  const token = useMediaToken(visibility)
  const isOpen = visibility !== 'private' || token !== undefined
  return (
    <marquee-player
      ref={element}
      className={styles.player}
      // An upright video has more room than a wide frame would give it.
      style={{ aspectRatio: height > width ? '1' : '16 / 9' }}
      src={isOpen ? opened(video.file.url, undefined) : undefined}
      token={token}
      poster={isOpen ? opened(video.poster.file.url, token) : undefined}
      thumbhash={video.poster.thumbhash}
    />
  )
}

/** A video that is played by its address brings no chapters; these are, also while they are edited. */
function useChapters(element: MarqueePlayer | null, chapters: Chapter[]): void {
  const show = useCallback(() => {
    const source = element?.player.source
    if (!source) return
    const wanted = chapters.map(({ title, start_time_sec: start, end_time_sec: end }) => ({
      title,
      start,
      end,
    }))
    if (JSON.stringify(source.chapters ?? []) === JSON.stringify(wanted)) return
    source.chapters = wanted
    showChapters(element.media, wanted)
  }, [element, chapters])
  useEffect(() => {
    if (!element) return
    show()
    element.addEventListener('statechange', show)
    return () => element.removeEventListener('statechange', show)
  }, [element, show])
}

/** As a text track, which is where the controls look for them. */
function showChapters(media: HTMLVideoElement, chapters: { title: string; start: number; end: number }[]) {
  const track =
    [...media.textTracks].find(({ kind }) => kind === 'chapters') ?? media.addTextTrack('chapters')
  track.mode = 'hidden'
  for (const cue of [...(track.cues ?? [])]) track.removeCue(cue)
  for (const { start, end, title } of chapters) track.addCue(new VTTCue(start, end, title))
  media.textTracks.dispatchEvent(new Event('change'))
}
