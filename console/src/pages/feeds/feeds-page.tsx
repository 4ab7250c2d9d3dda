import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/failure.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Page } from '../../components/page.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { usePermission, useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import { FeedCard } from './feed-card.tsx'
import { FeedForm, readFeed } from './feed-form.tsx'
import styles from './feeds.module.css'
import { feedsQuery } from './queries.ts'

const text = words.feeds

/** All feeds of the project, and a way to make one. */
export function FeedsPage() {
  const { projectId, client } = useProject()
  const may = usePermission()
  const navigate = useNavigate()
  const cache = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    feedsQuery(projectId),
  )
  const feeds = data?.pages.flatMap((page) => page.data)

  async function create(form: FormData): Promise<void> {
    const feed = await client.post('/feeds', { body: readFeed(form) })
    await cache.invalidateQueries({ queryKey: ['feeds', projectId] })
    await navigate({ to: '/$projectId/feeds/$feedId', params: { projectId, feedId: feed.id } })
  }

  const button = may('feeds:write') && (
    <Button kind="primary" icon="plus" onClick={() => setAsked(true)}>
      {text.create}
    </Button>
  )
  return (
    <Page title={words.nav.feeds} actions={feeds && feeds.length > 0 && button}>
      {error ? (
        <Failure error={error} reset={() => void refetch()} />
      ) : !feeds ? (
        <div className={styles.grid}>
          {[0, 1, 2].map((i) => (
            <Skeleton key={i} height={240} />
          ))}
        </div>
      ) : feeds.length === 0 ? (
        <Empty title={text.emptyTitle}>
          <p>{text.emptyText}</p>
          {button}
        </Empty>
      ) : (
        <ul className={styles.grid}>
          {feeds.map((feed) => (
            <FeedCard key={feed.id} feed={feed} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.common.more}
        </Button>
      )}
      <FormDialog
        title={text.create}
        submit={words.common.create}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onSubmit={create}
      >
        <FeedForm />
      </FormDialog>
    </Page>
  )
}
