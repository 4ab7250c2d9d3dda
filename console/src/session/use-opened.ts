import type { Client } from '@marquee/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useProject } from './use-project.ts'

/** Longer than a day at work; whoever comes back later loads the page anew. */
const SECONDS = 12 * 3600

export const mediaTokenQuery = ({ projectId, client }: { projectId: string; client: Client }) =>
  queryOptions({
    queryKey: [projectId, 'media-token'],
    queryFn: () => client.post('/media/playback-token', { body: { ttl: SECONDS } }),
    staleTime: (SECONDS / 2) * 1000,
    gcTime: SECONDS * 1000,
  })

/** A token that opens private media of the project; undefined where none is needed, or until there is one. */
export function useMediaToken(visibility: string | undefined): string | undefined {
  const isPrivate = visibility === 'private'
  const { data } = useQuery({ ...mediaTokenQuery(useProject()), enabled: isPrivate })
  return isPrivate ? data?.token : undefined
}

/** Where this page may load media from; not known where it is served from its sources. */
const place = document.querySelector<HTMLMetaElement>('meta[name=media]')?.content ?? ''
const host = URL.canParse(place) ? new URL(place).hostname : undefined

/**
 * An address of media as this page loads it, with a token behind it, where it has one. A project’s domain is another name of
 * the host that has all media, and the one that the page’s policy does not need to know.
 */
export function opened(address: string, token: string | undefined): string {
  const url = new URL(address)
  if (host) url.hostname = host
  // As text: a signature is of the query as it was written.
  if (token) url.search += `${url.search ? '&' : '?'}token=${token}`
  return url.href
}
