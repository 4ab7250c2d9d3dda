import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../components/badge.tsx'
import { formatNumber } from '../../format.ts'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import styles from './feeds.module.css'
import { PostPicture } from './post-picture.tsx'
import { type Feed, postsQuery } from './queries.ts'

const PICTURES = 3

/** A feed by the pictures of its newest posts. */
export function FeedCard({ feed }: { feed: Feed }) {
  const { projectId } = useProject()
  const { data } = useInfiniteQuery(postsQuery(projectId, feed.id, 'published', PICTURES))
  const [page] = data?.pages ?? []
  const total = page?.pagination.total
  return (
    <li>
      <Link to="/$projectId/feeds/$feedId" params={{ projectId, feedId: feed.id }} className={styles.card!}>
        <span className={styles.pictures}>
          {Array.from({ length: PICTURES }, (_, i) => (
            <PostPicture key={i} post={page?.data[i]} width={240} />
          ))}
        </span>
        <span className={styles.name}>
          <strong>{feed.name}</strong>
          {feed.visibility === 'public' && <Badge kind="good">{words.feeds.public}</Badge>}
        </span>
        <span className={styles.soft}>
          {total === undefined ? ' ' : words.feeds.posts(formatNumber(total), total)}
        </span>
      </Link>
    </li>
  )
}
