import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Page } from '../../components/page.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { usePageCommands } from '../../page-commands.ts'
import { usePermission, useProject } from '../../session/use-project.ts'
import { UnderWay } from '../../under-way.tsx'
import { words } from '../../words.ts'
import { FeedForm, readFeed } from './feed-form.tsx'
import styles from './feed-page.module.css'
import { FeedShare } from './feed-share.tsx'
import { FeedTabs, PANEL } from './feed-tabs.tsx'
import { PostList } from './post-list.tsx'
import { choosableIn, feedQuery, type PostStatus, postsQuery } from './queries.ts'

const text = words.feeds
const MediaPicker = lazy(() => import('./media-picker.tsx').then((made) => ({ default: made.MediaPicker })))

/** A feed: its posts in their order, its drafts, and how others see it. */
export function FeedPage() {
  const { projectId, client } = useProject()
  const { feedId = '' } = useParams({ strict: false })
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  const status: PostStatus = tab === 'draft' ? 'draft' : 'published'
  const may = usePermission()
  const navigate = useNavigate()
  const cache = useQueryClient()
  const [asked, setAsked] = useState<'edit' | 'delete' | 'add'>()
  const { data: feed, error, refetch } = useQuery(feedQuery(projectId, feedId))
  const posts = useInfiniteQuery(postsQuery(projectId, feedId, 'published'))
  const path = { feedId }

  async function change(form: FormData): Promise<void> {
    const changed = await client.put('/feeds/{feedId}', { path, body: readFeed(form) })
    cache.setQueryData(feedQuery(projectId, feedId).queryKey, changed)
    await cache.invalidateQueries({ queryKey: ['feeds', projectId] })
  }

  async function remove(): Promise<void> {
    await client.delete('/feeds/{feedId}', { path })
    await cache.invalidateQueries({ queryKey: ['feeds', projectId] })
    await navigate({ to: '/$projectId/feeds', params: { projectId } })
  }

  const onAdd = feed && may('posts:write') && choosableIn(feed, may).isAny ? () => setAsked('add') : undefined

  // An empty list offers it in its middle.
  const isEmpty = status === 'published' && posts.data?.pages[0]?.pagination.total === 0

  usePageCommands([
    onAdd && { id: 'add', title: text.picker.open, icon: 'plus', run: onAdd },
    !!feed &&
      may('feeds:write') && { id: 'edit', title: text.edit, icon: 'edit', run: () => setAsked('edit') },
    !!feed &&
      may('feeds:delete') && {
        id: 'delete',
        title: words.commands.ofPage.deleteNamed(feed.name),
        icon: 'trash',
        run: () => setAsked('delete'),
      },
  ])

  if (error)
    return (
      <Page title={words.nav.feeds}>
        <Failure error={error} reset={() => void refetch()} />
      </Page>
    )
  if (!feed)
    return (
      <Page title={words.nav.feeds}>
        <div className={styles.columns} aria-busy="true">
          <Skeleton height={420} />
          <Skeleton height={560} />
        </div>
      </Page>
    )
  return (
    <Page
      title={feed.name}
      actions={
        <>
          {feed.visibility === 'public' && <Badge kind="good">{text.public}</Badge>}
          {may('feeds:write') && (
            <Button icon="edit" title={text.edit} onClick={() => setAsked('edit')}>
              <span className={styles.word}>{text.edit}</span>
            </Button>
          )}
          {may('feeds:delete') && (
            <Button icon="trash" kind="danger" title={words.common.delete} onClick={() => setAsked('delete')}>
              <span className={styles.word}>{words.common.delete}</span>
            </Button>
          )}
          {onAdd && !isEmpty && (
            <Button icon="plus" kind="primary" onClick={onAdd}>
              {text.picker.open}
            </Button>
          )}
        </>
      }
    >
      {feed.description && <p className={styles.about}>{feed.description}</p>}
      <div className={styles.columns}>
        <section aria-label={text.postsOf} className={styles.posts}>
          <FeedTabs feedId={feedId} status={status} />
          <div id={PANEL} role="tabpanel" aria-label={text.tabs[status]} className={styles.panel}>
            <PostList key={status} feedId={feedId} status={status} onAdd={onAdd} />
          </div>
        </section>
        <FeedShare feed={feed} status={status} />
      </div>
      {asked === 'add' && (
        <Suspense fallback={<UnderWay />}>
          <MediaPicker feed={feed} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
      <FormDialog
        title={text.edit}
        submit={words.common.save}
        isOpen={asked === 'edit'}
        onClose={() => setAsked(undefined)}
        onSubmit={change}
      >
        <FeedForm feed={feed} />
      </FormDialog>
      <FormDialog
        title={text.deleteTitle(feed.name)}
        submit={words.common.delete}
        isDanger
        isOpen={asked === 'delete'}
        onClose={() => setAsked(undefined)}
        onSubmit={remove}
      >
        <p>{text.deleteText}</p>
      </FormDialog>
    </Page>
  )
}
