import { Link } from '@tanstack/react-router'
import type { ComponentProps, CSSProperties } from 'react'
import { Ago } from '../../components/ago.tsx'
import { Button, IconButton } from '../../components/button.tsx'
import { Icon } from '../../components/icons.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import styles from './post-list.module.css'
import { PostPicture } from './post-picture.tsx'
import { type ProjectPost, titleOf } from './queries.ts'

const text = words.feeds

interface PostRowProps {
  post: ProjectPost
  row: { style: CSSProperties | undefined }
  /** What cannot be done is not offered. */
  handle: ComponentProps<'button'> | undefined
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
  onPublish: (() => void) | undefined
  onEdit: (() => void) | undefined
  onRemove: (() => void) | undefined
}

export function PostRow({ post, row, handle, onUp, onDown, onPublish, onEdit, onRemove }: PostRowProps) {
  const { projectId } = useProject()
  const title = titleOf(post)
  const { video_id: videoId, image_id: imageId } = post
  const isDraft = !post.published
  return (
    <li className={styles.row} {...row}>
      {handle && (
        <button type="button" className={styles.handle} title={text.order.handle(title)} {...handle}>
          <Icon name="drag" />
        </button>
      )}
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
        <span className={post.failure ? styles.failure : styles.soft}>
          {post.failure ?? (isDraft && !onPublish ? text.waitsForUpload : <Ago at={post.created_at} />)}
        </span>
      </div>
      <div className={styles.actions}>
        {isDraft && onPublish && <Button onClick={onPublish}>{text.publish}</Button>}
        {(onUp || onDown || onEdit || onRemove) && (
          <Menu trigger={<IconButton label={text.actionsOn(title)} icon="more" />}>
            {onUp && <MenuItem onSelect={onUp}>{text.up}</MenuItem>}
            {onDown && <MenuItem onSelect={onDown}>{text.down}</MenuItem>}
            {onEdit && (
              <MenuItem icon="edit" onSelect={onEdit}>
                {text.editPost}
              </MenuItem>
            )}
            {!isDraft && onPublish && <MenuItem onSelect={onPublish}>{text.unpublish}</MenuItem>}
            {onRemove && (
              <MenuItem icon="trash" isDanger onSelect={onRemove}>
                {words.common.remove}
              </MenuItem>
            )}
          </Menu>
        )}
      </div>
    </li>
  )
}

/** A row that is about to be there, in its size. */
export function RowSkeleton() {
  return (
    <li className={styles.row} aria-hidden="true">
      <span className={styles.handle} />
      <span className={styles.blank}>
        <Skeleton height="100%" />
      </span>
      <span className={styles.what}>
        <Skeleton width="60%" height={18} />
        <Skeleton width="30%" height={14} />
      </span>
    </li>
  )
}
