import type { Schemas } from '@marquee/client'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { clientOf } from '../../api.ts'
import { type May, readableKind } from '../../session/permissions.ts'
import { anyEventQuery } from '../analytics/queries.ts'

export type StepId = 'upload' | 'embed' | 'count'

const WAIT_MS = 2000

export type Newest = Pick<Schemas['MediaItem'], 'id' | 'kind' | 'name' | 'status'>

/** So many are looked at for one that can be shown. */
const MOST_MEDIA = 10

/** The newest video or image that can be shown, or else the newest that cannot; null where there is none. */
export const newestQuery = (projectId: string, kind: 'video' | 'image' | undefined) =>
  queryOptions({
    queryKey: ['start', projectId, 'newest', kind ?? 'all'],
    staleTime: 0,
    // What comes next is the newest, so it is asked for all the time.
    refetchInterval: WAIT_MS,
    queryFn: async ({ signal }): Promise<Newest | null> => {
      const query = { limit: MOST_MEDIA, ...(kind && { kind }) }
      const { data } = await clientOf(projectId).get('/media', { query, signal })
      return data.find(isShown) ?? data[0] ?? null
    },
  })

/** What has failed is there, but nothing to go on with. */
export const isShown = (media: Newest | null | undefined): media is Newest => media?.status === 'ready'

export interface Published {
  /** A public feed, where there is one. */
  feedId?: string
  post?: { id: string; feedId: string; kind: 'video' | 'image'; contentId: string }
}

/** Feeds that are looked into for a post. */
const MOST_FEEDS = 5
const MOST_POSTS = 20

/** A public feed, and the newest post of one: a video where there is any. */
export const publishedQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['start', projectId, 'published'],
    staleTime: 0,
    refetchInterval: WAIT_MS,
    queryFn: async ({ signal }): Promise<Published> => {
      const client = clientOf(projectId)
      const { data } = await client.get('/feeds', { query: { limit: 100 }, signal })
      const feeds = data.filter(({ visibility }) => visibility === 'public').slice(0, MOST_FEEDS)
      for (const { id: feedId } of feeds) {
        const { data: posts } = await client.get('/posts/v1/projects/{projectId}/feeds/{feedId}/posts', {
          path: { projectId, feedId },
          query: { limit: MOST_POSTS, status: 'published' },
          signal,
        })
        const post = posts.find(({ type }) => type === 'video') ?? posts[0]
        if (!post) continue
        const contentId = post.video_id ?? post.image_id ?? ''
        return { feedId, post: { id: post.id, feedId, kind: post.type, contentId } }
      }
      return feeds[0] ? { feedId: feeds[0].id } : {}
    },
  })

export const mayReadPosts = (may: May): boolean => may('feeds:read') && may('posts:read')

/** The steps that somebody may know of, and whether they are done. */
export async function allSteps(queries: QueryClient, projectId: string, may: May) {
  const { isAllowed, kind } = readableKind(may)
  const asked: Promise<{ id: StepId; isDone: boolean }>[] = []
  const ask = async (id: StepId, isDone: Promise<boolean>) => ({ id, isDone: await isDone })
  if (isAllowed) asked.push(ask('upload', queries.fetchQuery(newestQuery(projectId, kind)).then(isShown)))
  if (mayReadPosts(may))
    asked.push(
      ask(
        'embed',
        queries.fetchQuery(publishedQuery(projectId)).then(({ post }) => !!post),
      ),
    )
  if (may('analytics:read')) asked.push(ask('count', queries.fetchQuery(anyEventQuery(projectId))))
  return Promise.all(asked)
}

const NAME = 'marquee.started'

/** Projects that somebody does not want to begin with their start page, kept by the browser. */
export function isStarted(projectId: string): boolean {
  return started().includes(projectId)
}

export function setStarted(projectId: string): void {
  try {
    localStorage.setItem(NAME, JSON.stringify([...new Set([...started(), projectId])].slice(-200)))
  } catch {
    // It is asked again the next time.
  }
}

function started(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}
