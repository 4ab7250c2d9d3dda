import { Link } from '@tanstack/react-router'
import { Ago } from '../../components/ago.tsx'
import { IconButton } from '../../components/button.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import styles from './feed-page.module.css'
import { PostPicture } from './post-picture.tsx'
import type { ProjectPost } from './queries.ts'

const text = words.feeds

interface PostRowProps {
  post: ProjectPost
  /** What cannot be done is not offered. */
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
  onEdit: (() => void) | undefined
  onRemove: (() => void) | undefined
}

export function PostRow({ post, onUp, onDown, onEdit, onRemove }: PostRowProps) {
  const { projectId } = useProject()
  const title = post.description || text.untitled
  const { video_id: videoId, image_id: imageId } = post
  return (
    <li className={styles.row}>
      <PostPicture post={post} width={160} />
      <div className={styles.what}>
        {videoId ? (
          <Link to="/$projectId/videos/$videoId" params={{ projectId, videoId }}>
            {title}
          </Link>
        ) : imageId ? (
          <Link to="/$projectId/images/$imageId" params={{ projectId, imageId }}>
            {title}
          </Link>
        ) : (
          <span>{title}</span>
        )}
        <span className={styles.soft}>{post.failure ?? <Ago at={post.created_at} />}</span>
      </div>
      {(onUp || onDown || onEdit || onRemove) && (
        <Menu trigger={<IconButton label={text.actionsOn(title)} icon="more" />}>
          {onUp && <MenuItem onSelect={onUp}>{text.up}</MenuItem>}
          {onDown && <MenuItem onSelect={onDown}>{text.down}</MenuItem>}
          {onEdit && (
            <MenuItem icon="edit" onSelect={onEdit}>
              {text.editPost}
            </MenuItem>
          )}
          {onRemove && (
            <MenuItem icon="trash" isDanger onSelect={onRemove}>
              {words.common.remove}
            </MenuItem>
          )}
        </Menu>
      )}
    </li>
  )
}
