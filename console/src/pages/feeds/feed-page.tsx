import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Page } from '../../components/page.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { usePermission, useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import { FeedForm, readFeed } from './feed-form.tsx'
import styles from './feed-page.module.css'
import { FeedShare } from './feed-share.tsx'
import { PostList } from './post-list.tsx'
import { feedQuery, type PostStatus } from './queries.ts'

const text = words.feeds
const TABS: PostStatus[] = ['published', 'draft']

/** A feed: its posts in their order, its drafts, and how others see it. */
export function FeedPage() {
  const { projectId, client } = useProject()
  const { feedId = '' } = useParams({ strict: false })
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  const status: PostStatus = tab === 'draft' ? 'draft' : 'published'
  const may = usePermission()
  const navigate = useNavigate()
  const cache = useQueryClient()
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  const { data: feed, error, refetch } = useQuery(feedQuery(projectId, feedId))
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

  if (error) return <Failure error={error} reset={() => void refetch()} />
  if (!feed)
    return (
      <Page title={words.nav.feeds}>
        <Skeleton height={320} />
      </Page>
    )
  return (
    <Page
      title={feed.name}
      actions={
        <>
          {feed.visibility === 'public' && <Badge kind="good">{text.public}</Badge>}
          {may('feeds:write') && (
            <Button icon="edit" onClick={() => setAsked('edit')}>
              {text.edit}
            </Button>
          )}
          {may('feeds:delete') && (
            <Button icon="trash" kind="danger" onClick={() => setAsked('delete')}>
              {words.common.delete}
            </Button>
          )}
        </>
      }
    >
      {feed.description && <p className={styles.about}>{feed.description}</p>}
      <div className={styles.columns}>
        <section aria-label={text.postsOf} className={styles.posts}>
          <div className={styles.tabs} role="tablist" aria-label={text.postsOf}>
            {TABS.map((one) => (
              <button
                key={one}
                type="button"
                role="tab"
                aria-selected={one === status}
                onClick={() =>
                  navigate({ to: '.', search: one === 'draft' ? { tab: one } : {}, replace: true } as never)
                }
              >
                {text.tabs[one]}
              </button>
            ))}
          </div>
          <PostList key={status} feedId={feedId} status={status} />
        </section>
        <FeedShare feed={feed} />
      </div>
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
