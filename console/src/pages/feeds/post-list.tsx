import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextArea } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useNotify } from '../../components/toasts.tsx'
import { usePermission, useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import styles from './feed-page.module.css'
import { PostRow } from './post-row.tsx'
import { type PostStatus, type ProjectPost, postsQuery } from './queries.ts'

const text = words.feeds
const POST = '/posts/v1/projects/{projectId}/feeds/{feedId}/posts/{postId}'

/** The posts of a feed, in the order that its readers see them in; published ones can be moved. */
export function PostList({ feedId, status }: { feedId: string; status: PostStatus }) {
  const { projectId, client } = useProject()
  const may = usePermission()
  const cache = useQueryClient()
  const notify = useNotify()
  const [edited, setEdited] = useState<ProjectPost>()
  const query = postsQuery(projectId, feedId, status)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(query)
  const posts = data?.pages.flatMap((page) => page.data)
  const pathOf = (postId: string) => ({ projectId, feedId, postId })
  const reload = () => cache.invalidateQueries({ queryKey: ['posts', projectId, feedId] })

  /** By one place; where it is then is shown when the service says so. */
  async function move(post: ProjectPost, beside: ProjectPost, place: 'before' | 'after'): Promise<void> {
    try {
      await client.post(`${POST}/move`, { path: pathOf(post.id), body: { [place]: beside.id } })
    } catch (problem) {
      notify.failed(text.notMoved, problem)
    }
    await reload()
  }

  async function remove(post: ProjectPost): Promise<void> {
    try {
      await client.delete(POST, { path: pathOf(post.id) })
      notify.done(text.removed)
    } catch (problem) {
      notify.failed(text.notRemoved, problem)
    }
    await reload()
  }

  async function change(form: FormData): Promise<void> {
    await client.patch(POST, {
      path: pathOf(edited!.id),
      body: { description: String(form.get('description')).trim() },
    })
    await reload()
  }

  if (error) return <Failure error={error} reset={() => void refetch()} />
  if (!posts) return <Skeleton height={280} />
  if (posts.length === 0)
    return (
      <Empty title={text.noPosts[status]}>
        <p>{text.noPostsText[status]}</p>
      </Empty>
    )
  const canMove = status === 'published' && may('posts:write')
  return (
    <>
      <ol className={styles.list}>
        {posts.map((post, i) => {
          const [above, below] = [posts[i - 1], posts[i + 1]]
          return (
            <PostRow
              key={post.id}
              post={post}
              onUp={canMove && above ? () => void move(post, above, 'before') : undefined}
              onDown={canMove && below ? () => void move(post, below, 'after') : undefined}
              onEdit={may('posts:write') ? () => setEdited(post) : undefined}
              onRemove={may('posts:delete') ? () => void remove(post) : undefined}
            />
          )
        })}
      </ol>
      {hasNextPage && (
        <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.common.more}
        </Button>
      )}
      <FormDialog
        title={text.editPost}
        submit={words.common.save}
        isOpen={!!edited}
        onClose={() => setEdited(undefined)}
        onSubmit={change}
      >
        <TextArea
          label={text.description}
          name="description"
          defaultValue={edited?.description}
          maxLength={2000}
        />
      </FormDialog>
    </>
  )
}
