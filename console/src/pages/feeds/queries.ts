import type { Schemas } from '@marquee/client'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { clientOf } from '../../api.ts'
import type { May } from '../../session/permissions.ts'
import { words } from '../../words.ts'

export type Feed = Schemas['Feed']
export type ProjectPost = Schemas['ProjectPost']
export type PostStatus = 'published' | 'draft'

const PAGE = 50

/** What people know a post by: what it says, or the name of what it shows. */
export const titleOf = ({ description, video, image }: ProjectPost): string =>
  description || (video ?? image)?.file.name || words.feeds.untitled

/** What of the library somebody can add to a feed: what it shows, of what they may see. */
export function choosableIn({ allow_images, allow_videos }: Feed, may: May) {
  const isMixed = allow_images === allow_videos
  const videos = (isMixed || allow_videos) && may('videos:read')
  const images = (isMixed || allow_images) && may('images:read')
  const only = videos === images ? undefined : videos ? ('video' as const) : ('image' as const)
  return { isAny: videos || images, only }
}

export const feedsQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: ['feeds', projectId],
    queryFn: ({ pageParam: offset, signal }) =>
      clientOf(projectId).get('/feeds', { query: { limit: PAGE, offset }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ data, pagination }) => {
      const end = pagination.offset + data.length
      return data.length > 0 && end < pagination.total ? end : undefined
    },
  })

export const feedQuery = (projectId: string, feedId: string) =>
  queryOptions({
    queryKey: ['feed', projectId, feedId],
    queryFn: ({ signal }) => clientOf(projectId).get('/feeds/{feedId}/info', { path: { feedId }, signal }),
  })

/** The posts of a feed as its readers see them, or its drafts. */
export const postsQuery = (projectId: string, feedId: string, status: PostStatus, limit = PAGE) =>
  infiniteQueryOptions({
    queryKey: ['posts', projectId, feedId, status, limit],
    queryFn: ({ pageParam, signal }) =>
      clientOf(projectId).get('/posts/v1/projects/{projectId}/feeds/{feedId}/posts', {
        path: { projectId, feedId },
        query: { limit, status, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor || undefined,
  })
