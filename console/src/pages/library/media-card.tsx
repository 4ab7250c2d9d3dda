import { memo, startTransition, useEffect, useState } from 'react'
import { Icon } from '../../components/icons.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatAgo, formatBytes, formatTime } from '../../format.ts'
import { opened, useMediaToken } from '../../session/use-opened.ts'
import { useProject } from '../../session/use-project.ts'
import { formatDuration } from '../../timecode.ts'
import { words } from '../../words.ts'
import { useProgress } from './follow-progress.ts'
import { HoverPreview } from './hover-preview.tsx'
import styles from './media-card.module.css'
import type { MediaItem } from './media-list.ts'
import { thumbhashColor, thumbhashUrl } from './thumbhash.ts'

interface MediaCardProps {
  item: MediaItem
  index: number
  column: number
  isSelected: boolean
  /** Where the keyboard is. */
  isActive: boolean
  canSelect: boolean
  /** Until then there is its place alone, in its colour. */
  isFilled: boolean
}

/** A video or an image in the grid. Clicks and keys are the grid's, which finds out by `data-index` whose they are. */
export const MediaCard = memo((props: MediaCardProps) => {
  const { item, index, column, isSelected, isActive, isFilled } = props
  const [isHovered, setHovered] = useState(false)
  return (
    // biome-ignore lint/a11y/useSemanticElements: the grid is no table, for it holds only the rows in view.
    <div
      role="gridcell"
      className={styles.card}
      data-index={index}
      aria-colindex={column + 1}
      aria-selected={isSelected}
      tabIndex={isActive ? 0 : -1}
      onPointerEnter={({ pointerType }) => setHovered(pointerType === 'mouse')}
      onPointerLeave={() => setHovered(false)}
    >
      {isFilled ? (
        <Content {...props} isHovered={isHovered} />
      ) : (
        <span className={styles.picture} style={behind(item, true)} />
      )}
    </div>
  )
})

function Content({ item, isSelected, canSelect, isHovered }: MediaCardProps & { isHovered: boolean }) {
  const { projectId } = useProject()
  const isPassing = usePassing(item.thumbnail_url)
  const isVideo = item.kind === 'video'
  return (
    <>
      <a
        className={styles.link}
        href={`/console/${projectId}/${item.kind}s/${item.id}`}
        tabIndex={-1}
        draggable={false}
      >
        <span className={styles.picture} style={behind(item, isPassing)}>
          {!isPassing &&
            (item.visibility === 'private' ? (
              <PrivatePicture item={item} isHovered={isHovered} />
            ) : (
              <Picture item={item} isHovered={isHovered} />
            ))}
          <span className={styles.badge}>
            <Icon name={item.kind} size={14} />
            <span className="visually-hidden">{words.library[item.kind]}</span>
            {isVideo && formatDuration(item.duration ?? 0)}
          </span>
          {isVideo && <Processing item={item} />}
        </span>
        <span className={styles.name} title={item.name}>
          {item.name}
        </span>
        <span className={styles.facts}>
          <time dateTime={item.created_at} title={isHovered ? formatTime(item.created_at) : undefined}>
            {formatAgo(item.created_at)}
          </time>
          <span>{formatBytes(item.size)}</span>
        </span>
      </a>
      {canSelect && (
        <label className={styles.check}>
          <input
            type="checkbox"
            tabIndex={-1}
            checked={isSelected}
            readOnly
            aria-label={words.library.select(item.name)}
          />
          <span />
        </label>
      )}
    </>
  )
}

interface PictureProps {
  item: MediaItem
  isHovered: boolean
  token?: string
}

function Picture({ item, isHovered, token }: PictureProps) {
  return (
    <>
      <Thumbnail item={item} url={opened(item.thumbnail_url, token)} />
      {item.kind === 'video' && isHovered && <HoverPreview url={item.url} token={token} />}
    </>
  )
}

/** The same once there is a token for it; its colours are there before. */
function PrivatePicture(props: PictureProps) {
  const token = useMediaToken('private')
  return token ? <Picture {...props} token={token} /> : null
}

const RATIO = 16 / 9

/** What nearly has the form of its place fills it; the rest is whole, with its own colours around it. */
const fitOf = ({ width, height }: MediaItem) => {
  const ratio = width / height / RATIO
  return ratio > 0.7 && ratio < 1.4 ? 'cover' : 'contain'
}

/** Its colour first: making the picture of it takes longer, and is not worth it for what is scrolled past. */
function behind({ thumbhash, thumbnail_url }: MediaItem, isPassing: boolean) {
  if (!thumbhash || seen.has(thumbnail_url)) return undefined
  if (isPassing) return { backgroundColor: thumbhashColor(thumbhash) }
  const url = thumbhashUrl(thumbhash)
  return url ? { backgroundImage: `url(${url})` } : undefined
}

/** What is scrolled past faster than this is not asked for. */
const PASSING_MS = 80
/** Addresses of pictures that the browser has, without their tokens. */
const seen = new Set<string>()

function usePassing(url: string): boolean {
  const [isPassing, setPassing] = useState(!seen.has(url))
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setPassing(false)), PASSING_MS)
    return () => clearTimeout(timer)
  }, [])
  return isPassing
}

function Thumbnail({ item, url }: { item: MediaItem; url: string }) {
  const name = item.thumbnail_url
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(seen.has(name) ? 'loaded' : 'loading')
  if (state === 'failed') return <Icon name={item.kind} size={32} />
  return (
    <img
      src={url}
      alt=""
      decoding="async"
      draggable={false}
      data-state={state}
      style={{ objectFit: fitOf(item) }}
      onLoad={async ({ currentTarget }) => {
        // Before it is shown, so that no frame waits for it.
        await currentTarget.decode().catch(() => {})
        seen.add(name)
        startTransition(() => setState('loaded'))
      }}
      onError={() => setState('failed')}
    />
  )
}

function Processing({ item }: { item: MediaItem }) {
  const progress = useProgress(item)
  if (!progress || progress.status === 'complete') return null
  if (progress.status === 'failed')
    return (
      <span className={styles.problem}>
        <Icon name="warning" size={14} /> {words.library.failed}
      </span>
    )
  return (
    <>
      <span className={styles.processing}>{words.library.processing(Math.floor(progress.percent))}</span>
      <span className={styles.progress} style={{ transform: `scaleX(${progress.percent / 100})` }} />
    </>
  )
}

/** A card that is about to be there, in its size. */
export function CardSkeleton() {
  return (
    <div className={styles.card} aria-hidden="true">
      <span className={styles.picture}>
        <Skeleton height="100%" />
      </span>
      <span className={styles.name}>
        <Skeleton width="70%" />
      </span>
      <span className={styles.facts}>
        <Skeleton width="40%" />
      </span>
    </div>
  )
}
