import type { ProjectScope } from '../../access/index.ts'
import { allow, type Caller } from '../../base/caller.ts'
import type { CdnUrl } from '../../base/cdn-url.ts'
import { badRequest, conflict, notFound } from '../../base/errors.ts'
import type { FeedId, PostId } from '../../base/ids.ts'
import type { Sql, Transaction } from '../../platform/postgres/client.ts'
import { readPost } from '../reading/read-posts.ts'
import { placesBetween } from './places.ts'
import * as store from './places-store.ts'
import type { Post, PostMove } from './schemas.ts'

/** Places become longer the more posts are moved to the same spot. From this length on they are spread out anew. */
const LONG = 120
/** Those that stay as they are then, and that the others are spread out between. */
const SHORT = 60

interface MoveTarget {
  side: 'before' | 'after'
  postId: PostId
}

/** Moves a published post to right before or right after another of its feed, as readers see them. */
export async function movePost(
  caller: Caller,
  scope: ProjectScope,
  { move, ...address }: { feedId: FeedId; postId: PostId; move: PostMove },
  { sql, cdnUrl }: { sql: Sql; cdnUrl: CdnUrl },
): Promise<Post> {
  allow(caller, 'posts:write', scope)
  const { projectId } = scope
  const { feedId, postId } = address
  const target = targetOf(move)
  if (target.postId === postId) throw badRequest(`${target.side}: is the post itself`)
  await sql.begin(async (tx) => {
    const held = await store.holdPosts(tx, { projectId, feedId, postIds: [postId, target.postId] })
    const moved = held.find(({ id }) => id === postId)
    const other = held.find(({ id }) => id === target.postId)
    if (!moved) throw notFound()
    if (!other) throw notFound(`${target.side}: there is no ${target.postId} in this feed`)
    const draft = held.find(({ published }) => !published)
    if (draft) throw conflict(`${draft.id} is a draft, which has no place among the published posts yet`)
    await store.holdFeed(tx, feedId)
    const spot = { target, place: other.place, moved: postId }
    let place = await placeBeside(tx, feedId, spot)
    if (place.length > LONG) place = await placeBeside(tx, feedId, await spreadOut(tx, feedId, spot))
    if (place !== HERE) await store.placePosts(tx, [postId], [place])
  })
  const found = await readPost({ projectId, ...address, drafts: false }, { sql, cdnUrl })
  if (!found) throw notFound()
  return found.post
}

function targetOf({ before, after }: PostMove): MoveTarget {
  if (before !== undefined && after === undefined) return { side: 'before', postId: before }
  if (after !== undefined && before === undefined) return { side: 'after', postId: after }
  throw badRequest('before, after: one of them says where to')
}

const HERE = ''

interface Spot {
  target: MoveTarget
  /** Of the post that it is to be beside. */
  place: string
  moved: PostId
}

/** A place right beside another's, or none where it is there already. */
async function placeBeside(tx: Transaction, feedId: FeedId, { target, place, moved }: Spot): Promise<string> {
  const neighbour = await store.neighbourOf(tx, feedId, place, target.side)
  if (neighbour?.id === moved) return HERE
  const [lower, upper] = target.side === 'before' ? [place, neighbour?.place] : [neighbour?.place, place]
  return placesBetween(lower, upper, 1)[0]!
}

/** Gives the posts with long places around a spot, which are next to each other, short ones in the same order. */
async function spreadOut(tx: Transaction, feedId: FeedId, spot: Spot): Promise<Spot> {
  const bounds = await store.shortPlacesAround(tx, feedId, spot.place, SHORT)
  const ids = await store.holdBetween(tx, feedId, bounds)
  if (!ids) throw conflict('posts of this feed are being changed; ask again')
  const places = placesBetween(bounds.lower, bounds.upper, ids.length)
  await store.placePosts(tx, ids, places)
  return { ...spot, place: places[ids.indexOf(spot.target.postId)]! }
}
