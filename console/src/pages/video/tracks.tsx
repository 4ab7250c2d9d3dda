import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, IconButton } from '../../components/button.tsx'
import { Icon } from '../../components/icons.tsx'
import { Section } from '../../components/section.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatBytes } from '../../format.ts'
import { usePageCommands } from '../../page-commands.ts'
import { useAddress } from '../../use-address.ts'
import { words } from '../../words.ts'
import { AddTrack } from './add-track.tsx'
import { Cues } from './cues.tsx'
import type { Playback } from './player.tsx'
import { type Track, type TrackKind, tracksQuery } from './queries.ts'
import styles from './tracks.module.css'
import { useTracks } from './use-tracks.ts'
import { useVideo } from './use-video.ts'

const { also } = words.commands
const WORDS = {
  subtitles: {
    title: words.video.subtitles,
    none: words.video.noSubtitles,
    add: words.video.addSubtitles,
    also: also.addSubtitles,
  },
  'audio-tracks': {
    title: words.video.audio,
    none: words.video.noAudio,
    add: words.video.addAudio,
    also: also.addAudio,
  },
}

/** The subtitles or the audio tracks of a video: what there is, more of it, and less. */
export function Tracks({ kind, playback }: { kind: TrackKind; playback: Playback }) {
  const { of, mayWrite } = useVideo()
  const { data: tracks, error, isPending, refetch } = useQuery(tracksQuery(of, kind))
  const { remove } = useTracks(kind, playback)
  const [isAdding, setAdding] = useState(false)
  const { title, none, add, also } = WORDS[kind]
  usePageCommands([
    mayWrite && { id: `add/${kind}`, title: add, also, icon: 'plus', run: () => setAdding(true) },
  ])
  return (
    <Section
      title={title}
      error={error}
      onRetry={refetch}
      actions={
        mayWrite && (
          <Button kind="quiet" icon="plus" aria-label={add} onClick={() => setAdding(true)}>
            {words.video.add}
          </Button>
        )
      }
    >
      {isPending && <Skeleton height="20px" />}
      {tracks?.length === 0 && <p className={styles.soft}>{none}</p>}
      {tracks && tracks.length > 0 && (
        <ul className={styles.tracks}>
          {tracks.map((track) => (
            <li key={track.id}>
              <div className={styles.track}>
                {kind === 'subtitles' ? <CuesToggle track={track} /> : <span>{track.label}</span>}
                <span className={styles.soft}>
                  {track.language_code} · {formatBytes(track.size)}
                </span>
                {mayWrite && (
                  <IconButton
                    icon="trash"
                    label={words.video.deleteTrack(track.label)}
                    onClick={() => remove(track)}
                  />
                )}
              </div>
              {kind === 'subtitles' && <OpenCues track={track} playback={playback} />}
            </li>
          ))}
        </ul>
      )}
      {isAdding && <AddTrack kind={kind} title={add} playback={playback} onClose={() => setAdding(false)} />}
    </Section>
  )
}

/** Which subtitles are read is in the address. */
function useOpenCues(track: Track) {
  const { search, change } = useAddress()
  const isOpen = search.subtitle === track.language_code
  const toggle = () => change({ subtitle: isOpen ? undefined : track.language_code }, false)
  return { isOpen, toggle }
}

function CuesToggle({ track }: { track: Track }) {
  const { isOpen, toggle } = useOpenCues(track)
  return (
    <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={toggle}>
      <Icon name="chevron" />
      {track.label}
    </button>
  )
}

function OpenCues({ track, playback }: { track: Track; playback: Playback }) {
  const { isOpen } = useOpenCues(track)
  return isOpen ? <Cues track={track} playback={playback} /> : null
}
