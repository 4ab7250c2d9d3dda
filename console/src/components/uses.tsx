import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatAgo, formatTime } from '../format.ts'
import { usePermission, useProject } from '../session/use-project.ts'
import { words } from '../words.ts'
import { Section } from './section.tsx'
import { Skeleton } from './skeleton.tsx'
import styles from './uses.module.css'

const SHOWN = 20

/** The posts that show a video or an image. */
export function Uses({ kind, id }: { kind: 'video' | 'image'; id: string }) {
  const { projectId, client } = useProject()
  const may = usePermission()
  const isAllowed = may('posts:read')
  const uses = useQuery({
    queryKey: [projectId, kind, id, 'uses'],
    queryFn: ({ signal }) => {
      const query = { limit: SHOWN }
      return kind === 'video'
        ? client.get('/videos/{videoId}/uses', { path: { videoId: id }, query, signal })
        : client.get('/images/{imageId}/uses', { path: { imageId: id }, query, signal })
    },
    enabled: isAllowed,
  })
  if (!isAllowed) return null
  const rest = (uses.data?.pagination.total ?? 0) - SHOWN
  return (
    <Section title={words.media.uses} error={uses.error} onRetry={uses.refetch}>
      {uses.isPending && <Skeleton height="20px" />}
      {uses.data?.data.length === 0 && <p className={styles.soft}>{words.media.unused}</p>}
      <ul className={styles.uses}>
        {uses.data?.data.map(({ feed_id, feed_name, post_id, published_at }) => (
          <li key={post_id}>
            <Link to="/$projectId/feeds/$feedId" params={{ projectId, feedId: feed_id }}>
              {feed_name}
            </Link>
            {published_at ? (
              <time className={styles.soft} dateTime={published_at} title={formatTime(published_at)}>
                {formatAgo(published_at)}
              </time>
            ) : (
              <span className={styles.soft}>{words.media.draft}</span>
            )}
          </li>
        ))}
        {rest > 0 && <li className={styles.soft}>{words.media.moreUses(rest)}</li>}
      </ul>
    </Section>
  )
}
