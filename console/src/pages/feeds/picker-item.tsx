import { Icon } from '../../components/icons.tsx'
import { MediaImage } from '../../session/media-image.tsx'
import { formatDuration } from '../../timecode.ts'
import { words } from '../../words.ts'
import type { MediaItem } from '../library/media-list.ts'
import { thumbhashUrl } from '../library/thumbhash.ts'
import styles from './media-picker.module.css'

interface PickerItemProps {
  item: MediaItem
  /** The feed shows it already. */
  isIn: boolean
  isChosen: boolean
  tabIndex: number
  onFocus(): void
  onToggle(): void
}

/** A video or an image that can be chosen; what the feed shows already can be reached, but not be chosen. */
export function PickerItem({ item, isIn, isChosen, tabIndex, onFocus, onToggle }: PickerItemProps) {
  const hash = item.thumbhash && thumbhashUrl(item.thumbhash)
  return (
    <label className={styles.item} data-in={isIn || undefined}>
      <input
        type="checkbox"
        checked={isChosen}
        aria-disabled={isIn || undefined}
        tabIndex={tabIndex}
        onFocus={onFocus}
        onChange={() => !isIn && onToggle()}
      />
      <span className={styles.picture} style={hash ? { backgroundImage: `url(${hash})` } : undefined}>
        <MediaImage
          visibility={item.visibility}
          src={item.thumbnail_url.replace(/w=\d+$/, 'w=320')}
          alt=""
          loading="lazy"
          decoding="async"
        />
        <span className={styles.badge}>
          <Icon name={item.kind} size={14} />
          <span className="visually-hidden">{words.library[item.kind]}</span>
          {item.kind === 'video' && formatDuration(item.duration ?? 0)}
        </span>
        {isIn ? (
          <span className={styles.in}>{words.feeds.picker.isIn}</span>
        ) : (
          <span className={styles.check}>
            <Icon name="check" size={16} />
          </span>
        )}
      </span>
      <span className={styles.name} title={item.name}>
        {item.name}
      </span>
    </label>
  )
}
