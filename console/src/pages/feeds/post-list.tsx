import { useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextArea } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { usePermission } from '../../session/use-project.ts'
import { useNamed } from '../../use-named.ts'
import { words } from '../../words.ts'
import styles from './post-list.module.css'
import { PostRow, RowSkeleton } from './post-row.tsx'
import { type PostStatus, type ProjectPost, titleOf } from './queries.ts'
import { usePosts } from './use-posts.ts'
import { useReorder } from './use-reorder.ts'

const text = words.feeds
/** One that was looked up is looked for among so many. */
const MOST_PAGES = 40

interface PostListProps {
  feedId: string
  status: PostStatus
  /** Nothing where nobody may add anything. */
  onAdd: (() => void) | undefined
}

/** The posts of a feed, in the order that its readers see them in; published ones can be moved. */
export function PostList({ feedId, status, onAdd }: PostListProps) {
  const may = usePermission()
  const { list, posts = [], move, publish, remove, describe, reload } = usePosts(feedId, status)
  const [edited, setEdited] = useState<ProjectPost>()
  const element = useRef<HTMLOListElement>(null)
  const canWrite = may('posts:write')
  const canMove = canWrite && status === 'published' && posts.length > 1
  const titled = posts.map((post) => ({ id: post.id, title: titleOf(post) }))
  const { isHeld, said, rowProps, handleProps } = useReorder(element, titled, move)

  const { named, rowOf } = useNamed()
  const pages = list.data?.pages.length ?? MOST_PAGES
  const isMissing = named !== undefined && list.hasNextPage && !posts.some(({ id }) => id === named)
  useEffect(() => {
    if (isMissing && pages < MOST_PAGES) void list.fetchNextPage()
  }, [isMissing, pages])

  if (list.error && !list.data) return <Failure error={list.error} reset={() => void reload()} />
  if (!list.data)
    return (
      <ol className={styles.list} aria-busy="true">
        {[0, 1, 2, 3, 4].map((i) => (
          <RowSkeleton key={i} />
        ))}
      </ol>
    )
  if (posts.length === 0)
    return (
      <Empty title={text.noPosts[status]}>
        <p className={styles.teach}>{text.noPostsText[status]}</p>
        {status === 'published' && onAdd && (
          <Button kind="primary" icon="plus" onClick={onAdd}>
            {text.picker.open}
          </Button>
        )}
      </Empty>
    )
  return (
    <>
      <p role="status" aria-live="assertive" className="visually-hidden">
        {said}
      </p>
      <ol ref={element} className={styles.list} data-held={isHeld || undefined}>
        {posts.map((post, i) => (
          <PostRow
            key={post.id}
            post={post}
            row={{ ...rowOf(post.id), ...rowProps(i) }}
            handle={canMove ? { ...handleProps(i), 'aria-describedby': 'order-help' } : undefined}
            onUp={canMove && i > 0 ? () => move(post.id, i - 1) : undefined}
            onDown={canMove && i < posts.length - 1 ? () => move(post.id, i + 1) : undefined}
            onPublish={canWrite && canPublish(post) ? () => publish(post, !post.published) : undefined}
            onEdit={canWrite ? () => setEdited(post) : undefined}
            onRemove={may('posts:delete') ? () => remove(post) : undefined}
          />
        ))}
      </ol>
      {canMove && (
        <p id="order-help" className={styles.help}>
          {text.order.help}
        </p>
      )}
      {list.hasNextPage && (
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {words.common.more}
        </Button>
      )}
      <FormDialog
        title={text.editPost}
        submit={words.common.save}
        isOpen={!!edited}
        onClose={() => setEdited(undefined)}
        onSubmit={(form) => describe(edited!, String(form.get('description')).trim())}
      >
        <TextArea
          label={text.description}
          name="description"
          defaultValue={edited?.description}
          maxLength={2000}
          autoFocus
        />
      </FormDialog>
    </>
  )
}

/** A draft is published once there is something to show. */
const canPublish = ({ published, image, video }: ProjectPost): boolean =>
  published || image !== undefined || video !== undefined
