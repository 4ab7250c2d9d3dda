import type { Schemas } from '@marquee/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { Icon } from '../../components/icons.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useNotify } from '../../components/toasts.tsx'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import { addContent } from './add-content.ts'
import styles from './add-to-feed.module.css'
import { feedsQuery } from './feeds-query.ts'
import type { MediaItem } from './media-list.ts'

interface AddToFeedProps {
  items: readonly MediaItem[]
  onClose(): void
  onAdded(): void
}

/** Makes posts of what is chosen, in a feed of the project. */
export function AddToFeed({ items, onClose, onAdded }: AddToFeedProps) {
  const { projectId, client } = useProject()
  const notify = useNotify()
  const feeds = useQuery(feedsQuery(projectId))
  const [adding, setAdding] = useState<string>()

  async function add({ id, name }: Schemas['Feed']): Promise<void> {
    setAdding(id)
    try {
      const posts = await addContent(client, id, items)
      notify.done(words.library.added(posts.length, name))
      onClose()
      onAdded()
    } catch (error) {
      notify.failed(words.library.notAdded, error)
    } finally {
      setAdding(undefined)
    }
  }

  return (
    <Dialog title={words.library.addToFeed} isOpen onClose={onClose} isBusy={adding !== undefined}>
      {feeds.isPending && <Skeleton height={120} />}
      {feeds.isError && <Failure error={feeds.error} reset={() => void feeds.refetch()} />}
      {feeds.data?.length === 0 && <p>{words.library.noFeeds}</p>}
      <ul className={styles.feeds}>
        {feeds.data?.map((feed) => {
          const reason = refusalOf(feed, items)
          return (
            <li key={feed.id}>
              <button
                type="button"
                className={styles.feed}
                disabled={!!reason || adding !== undefined}
                aria-busy={adding === feed.id || undefined}
                onClick={() => void add(feed)}
              >
                <Icon name="feeds" />
                <span>{feed.name}</span>
                {reason && <small>{reason}</small>}
              </button>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}

function refusalOf({ allow_images, allow_videos }: Schemas['Feed'], items: readonly MediaItem[]) {
  if (!allow_images && items.some(({ kind }) => kind === 'image')) return words.library.onlyVideos
  if (!allow_videos && items.some(({ kind }) => kind === 'video')) return words.library.onlyImages
  return undefined
}
