import type { FeedId, PostId } from '../../base/ids.ts'
import type { Transaction } from '../../platform/postgres/client.ts'
import type { PostAddress } from './store.ts'

export interface PlacedPost {
  id: PostId
  place: string
  published: boolean
}

/** These posts of a feed, which nobody else changes until the transaction ends. */
export function holdPosts(
  tx: Transaction,
  { projectId, feedId, postIds }: Omit<PostAddress, 'postId'> & { postIds: PostId[] },
): Promise<PlacedPost[]> {
  return tx<PlacedPost[]>`
    select p.id, p.place, p.published from posts p join feeds f on f.id = p.feed_id
    where p.id = any(${postIds}) and f.id = ${feedId} and f.project_id = ${projectId} and f.deleted_at is null
    order by p.id for update of p`
}

/** One at a time moves posts of a feed. After their rows: everybody locks feeds last. */
export async function holdFeed(tx: Transaction, feedId: FeedId): Promise<void> {
  await tx`select from feeds where id = ${feedId} for no key update`
}

/** The published post that is read right before another, or right after it. */
export async function neighbourOf(
  tx: Transaction,
  feedId: FeedId,
  place: string,
  side: 'before' | 'after',
): Promise<{ id: PostId; place: string } | undefined> {
  const [row] =
    side === 'before'
      ? await tx<{ id: PostId; place: string }[]>`
          select id, place from posts where feed_id = ${feedId} and published and place > ${place}
          order by place limit 1`
      : await tx<{ id: PostId; place: string }[]>`
          select id, place from posts where feed_id = ${feedId} and published and place < ${place}
          order by place desc limit 1`
  return row
}

/** The nearest posts on both sides of a place whose own places are no longer than this. */
export async function shortPlacesAround(tx: Transaction, feedId: FeedId, place: string, length: number) {
  const [row] = await tx<{ lower: string | null; upper: string | null }[]>`
    select
      (select max(place) from posts
        where feed_id = ${feedId} and published and place < ${place} and length(place) <= ${length}) as lower,
      (select min(place) from posts
        where feed_id = ${feedId} and published and place > ${place} and length(place) <= ${length}) as upper`
  return { lower: row!.lower ?? undefined, upper: row!.upper ?? undefined }
}

/**
 * The published posts between two places, lowest first, held. Undefined where somebody else holds one: they may be
 * waiting for the feed, which we hold.
 */
export async function holdBetween(
  tx: Transaction,
  feedId: FeedId,
  { lower, upper }: { lower: string | undefined; upper: string | undefined },
): Promise<PostId[] | undefined> {
  const these = tx`
    from posts where feed_id = ${feedId} and published
      ${lower === undefined ? tx`` : tx`and place > ${lower}`}
      ${upper === undefined ? tx`` : tx`and place < ${upper}`}`
  const rows = await tx<{ id: PostId }[]>`select id ${these} order by place for update skip locked`
  const [all] = await tx<{ count: number }[]>`select count(*) as count ${these}`
  return all!.count === rows.length ? rows.map(({ id }) => id) : undefined
}

export async function placePosts(tx: Transaction, postIds: PostId[], places: string[]): Promise<void> {
  await tx`
    update posts p set moved_to = placed.place
    from unnest(${postIds}::text[], ${places}::text[]) placed (id, place) where p.id = placed.id`
}
