import { memo, useEffect, useState } from 'react'
import { Icon } from '../../components/icons.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatAgo, formatBytes, formatDuration, formatTime } from '../../format.ts'
import { opened, useMediaToken } from '../../session/use-opened.ts'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import { useProgress } from './follow-progress.ts'
import { HoverPreview } from './hover-preview.tsx'
import styles from './media-card.module.css'
import type { MediaItem } from './media-list.ts'
import { thumbhashUrl } from './thumbhash.ts'

interface MediaCardProps {
  item: MediaItem
  index: number
  column: number
  isSelected: boolean
  /** Where the keyboard is. */
  isActive: boolean
  canSelect: boolean
}

/** A video or an image in the grid. Clicks and keys are the grid's, which finds out by `data-index` whose they are. */
export const MediaCard = memo((props: MediaCardProps) => {
  const { item, index, column, isSelected, isActive, canSelect } = props
  const { projectId } = useProject()
  const [isHovered, setHovered] = useState(false)
  const isVideo = item.kind === 'video'
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
      <a
        className={styles.link}
        href={`/console/${projectId}/${item.kind}s/${item.id}`}
        tabIndex={-1}
        draggable={false}
      >
        <span className={styles.picture} style={behind(item)}>
          {item.visibility === 'private' ? (
            <PrivatePicture item={item} isHovered={isHovered} />
          ) : (
            <Picture item={item} isHovered={isHovered} />
          )}
          <span className={styles.badge}>
            <Icon name={item.kind} size={14} />
            <span className="visually-hidden">{words.library[item.kind]}</span>
            {isVideo && formatDuration(item.duration ?? 0)}
          </span>
          <Processing item={item} />
        </span>
        <span className={styles.name} title={item.name}>
          {item.name}
        </span>
        <span className={styles.facts}>
          <time dateTime={item.created_at} title={formatTime(item.created_at)}>
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
          <span>
            <Icon name="check" size={16} />
          </span>
        </label>
      )}
    </div>
  )
})

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

function behind({ thumbhash }: MediaItem) {
  const url = thumbhash && thumbhashUrl(thumbhash)
  return url ? { backgroundImage: `url(${url})` } : undefined
}

/** What is scrolled past faster than this is not asked for. */
const PASSING_MS = 80
const seen = new Set<string>()

function Thumbnail({ item, url }: { item: MediaItem; url: string }) {
  const [isWanted, setWanted] = useState(seen.has(url))
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(seen.has(url) ? 'loaded' : 'loading')
  useEffect(() => {
    const timer = setTimeout(() => setWanted(true), PASSING_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!isWanted) return null
  if (state === 'failed') return <Icon name={item.kind} size={32} />
  return (
    <img
      src={url}
      alt=""
      decoding="async"
      draggable={false}
      data-state={state}
      style={{ objectFit: fitOf(item) }}
      onLoad={() => {
        seen.add(url)
        setState('loaded')
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
