import type { Client } from '@marquee/client'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useNotify } from '../../components/toasts.tsx'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import { applyMove, type Move, moveTo, placeOf } from './moves.ts'
import { type PostStatus, type ProjectPost, postsQuery, titleOf } from './queries.ts'

const text = words.feeds
const POST = '/posts/v1/projects/{projectId}/feeds/{feedId}/posts/{postId}'
const NONE: ReadonlySet<string> = new Set()

/** The posts of a feed and what can be done with them: shown at once as it will be, and taken back where it fails. */
export function usePosts(feedId: string, status: PostStatus) {
  const { projectId, client } = useProject()
  const cache = useQueryClient()
  const notify = useNotify()
  const list = useInfiniteQuery(postsQuery(projectId, feedId, status))
  const [moves, setMoves] = useState<readonly Move[]>([])
  const [gone, setGone] = useState(NONE)
  const queue = useRef(Promise.resolve())
  const { data } = list
  const posts = useMemo(() => {
    const known = data?.pages.flatMap((page) => page.data)
    return known && moves.reduce(applyMove, known).filter(({ id }) => !gone.has(id))
  }, [data, moves, gone])
  const pathOf = (postId: string) => ({ projectId, feedId, postId })
  const reload = () => cache.invalidateQueries({ queryKey: ['posts', projectId, feedId] })

  /** One after the other, in the order in which somebody did it. */
  function change(work: () => Promise<unknown>, failed: string, done?: () => void): void {
    queue.current = queue.current
      .then(work)
      .then(done, (error) => notify.failed(failed, error))
      .then(reload)
  }

  function sendMove(move: Move, done?: () => void): void {
    setMoves((now) => [...now, move])
    const { id, ...beside } = move
    change(() => client.post(`${POST}/move`, { path: pathOf(id), body: beside }), text.notMoved, done)
    // The service's own order shows it by then, or it has failed.
    queue.current = queue.current.then(() => setMoves((now) => now.filter((one) => one !== move)))
  }

  function move(id: string, to: number): void {
    if (!posts) return
    const wanted = moveTo(posts, id, to)
    const back = placeOf(posts, id)
    if (!wanted || !back) return
    const title = titleOf(posts.find((post) => post.id === id)!)
    sendMove(wanted, () => notify.done(text.moved(title, to + 1), () => sendMove(back)))
  }

  /** Not in this list any more, from this moment on. */
  function takeOut(post: ProjectPost, work: () => Promise<unknown>, failed: string, done: () => void): void {
    setGone((now) => new Set([...now, post.id]))
    change(work, failed, done)
    queue.current = queue.current.then(() =>
      setGone((now) => new Set([...now].filter((id) => id !== post.id))),
    )
  }

  const setPublished = (id: string, published: boolean) =>
    client.patch(POST, { path: pathOf(id), body: { published } })

  function publish(post: ProjectPost, published: boolean): void {
    const failed = published ? text.notPublished : text.notUnpublished
    takeOut(
      post,
      () => setPublished(post.id, published),
      failed,
      () =>
        notify.done(published ? text.published : text.unpublished, () =>
          change(() => setPublished(post.id, !published), text.notUndone),
        ),
    )
  }

  function remove(post: ProjectPost): void {
    const back = posts && placeOf(posts, post.id)
    const undo = () => change(() => addAgain(client, projectId, post, back), text.notUndone)
    takeOut(
      post,
      () => client.delete(POST, { path: pathOf(post.id) }),
      text.notRemoved,
      () => notify.done(text.removed, post.published ? undo : undefined),
    )
  }

  async function describe(post: ProjectPost, description: string): Promise<void> {
    await client.patch(POST, { path: pathOf(post.id), body: { description } })
    await reload()
  }

  return { list, posts, move, publish, remove, describe, reload }
}

/** What was taken out is a new post with all that the old one had, in its place. */
async function addAgain(
  client: Client,
  projectId: string,
  post: ProjectPost,
  back: Move | undefined,
): Promise<void> {
  const { feed_id: feedId, type, creator_id, description } = post
  const { data } = await client.post('/feeds/{feedId}/content', {
    path: { feedId },
    body: {
      content_ids: [(post.video_id ?? post.image_id)!],
      content_type: type,
      ...(creator_id && { creator_id }),
      ...(description && { description }),
    },
    isRepeatable: true,
  })
  if (!back) return
  const { id: _, ...beside } = back
  const path = { projectId, feedId, postId: data[0]!.id }
  await client.post(`${POST}/move`, { path, body: beside, isRepeatable: true })
}
