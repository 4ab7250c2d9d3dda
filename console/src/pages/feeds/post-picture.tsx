import { Icon } from '../../components/icons.tsx'
import { MediaImage } from '../../session/media-image.tsx'
import { formatDuration } from '../../timecode.ts'
import styles from './feeds.module.css'
import type { ProjectPost } from './queries.ts'

/** What a post shows, small; a place for it where there is none yet. */
export function PostPicture({ post, width }: { post: ProjectPost | undefined; width: number }) {
  const picture = post?.video?.poster ?? post?.image
  const file = picture?.file
  return (
    <span className={styles.picture} data-picture="">
      {file?.url ? (
        <MediaImage visibility={picture?.visibility} src={`${file.url}?w=${width}`} alt="" loading="lazy" />
      ) : (
        post && <Icon name={post.type === 'video' ? 'video' : 'image'} />
      )}
      {post?.video && <span className={styles.length}>{formatDuration(post.video.duration)}</span>}
    </span>
  )
}
