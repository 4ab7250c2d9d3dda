import type { Client } from '@marquee/client'
import type { MarqueeFeed, ReadPage } from '@marquee/player/feed'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { createElement, useEffect } from 'react'
import { mediaTokenQuery, opened } from '../../session/use-opened.ts'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import styles from './feed-page.module.css'
import { type PostStatus, type ProjectPost, postsQuery } from './queries.ts'

const text = words.feeds
/** The service serves its own player; it is no part of the console's scripts. */
const SCRIPT = '/sdk/player/feed.js'

/** The vertical feed itself, as viewers have it, read by whoever is signed in: private ones and drafts as well. */
export function FeedPreview({ feedId, status }: { feedId: string; status: PostStatus }) {
  const { projectId, client } = useProject()
  const { data } = useInfiniteQuery(postsQuery(projectId, feedId, status))
  const shown = data?.pages[0]?.data.filter(isShown)
  useEffect(() => {
    void import(/* @vite-ignore */ SCRIPT)
  }, [])
  const queries = useQueryClient()
  const readToken = async () => (await queries.ensureQueryData(mediaTokenQuery({ projectId, client }))).token
  const readPage = readerOf(client, { projectId, feedId, status }, readToken)
  return (
    <div className={styles.phone}>
      {shown?.length === 0 ? (
        <p className={styles.blank}>{text.previewEmpty}</p>
      ) : (
        shown &&
        createElement('marquee-feed', {
          // In another order, or with other posts, it is shown from its beginning.
          key: status + shown.map(({ id }) => id).join(),
          feed: feedId,
          url: location.origin,
          resume: 'none',
          // Before the script is there it is a property like any other, which the element finds.
          ref: (element: MarqueeFeed | null) => {
            if (element) element.readPage = readPage
          },
        })
      )}
    </div>
  )
}

function readerOf(
  client: Client,
  { status, ...path }: { projectId: string; feedId: string; status: PostStatus },
  readToken: () => Promise<string>,
): ReadPage {
  return async (cursor, signal) => {
    const { data, pagination } = await client.get('/posts/v1/projects/{projectId}/feeds/{feedId}/posts', {
      path,
      query: { status, ...(cursor !== null && { cursor }) },
      signal,
    })
    const posts = data.filter(isShown)
    const token = posts.some(isPrivate) ? await readToken() : undefined
    return { data: posts.map((post) => openedPost(post, token)), pagination }
  }
}

const isPrivate = ({ image, video }: ProjectPost) => (video ?? image)?.visibility === 'private'

function openedPost(post: ProjectPost, token: string | undefined): ProjectPost {
  const open = <T extends { file: { url: string } }>(one: T) => ({
    ...one,
    file: { ...one.file, url: opened(one.file.url, isPrivate(post) ? token : undefined) },
  })
  const { image, video } = post
  return {
    ...post,
    ...(image && { image: open(image) }),
    ...(video && { video: { ...open(video), poster: open(video.poster) } }),
  }
}

/** A draft that waits for its upload has nothing to show. */
const isShown = ({ image, video }: { image?: unknown; video?: unknown }) => Boolean(image ?? video)
