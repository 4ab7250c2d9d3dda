import { useQuery } from '@tanstack/react-query'
import { useProject } from './use-project.ts'

/** Longer than a day at work; whoever comes back later loads the page anew. */
const SECONDS = 12 * 3600

/** A token that opens private media of the project; undefined where none is needed, or until there is one. */
export function useMediaToken(visibility: string | undefined): string | undefined {
  const { projectId, client } = useProject()
  const isPrivate = visibility === 'private'
  const { data } = useQuery({
    queryKey: [projectId, 'media-token'],
    queryFn: () => client.post('/media/playback-token', { body: { ttl: SECONDS } }),
    enabled: isPrivate,
    staleTime: (SECONDS / 2) * 1000,
    gcTime: SECONDS * 1000,
  })
  return isPrivate ? data?.token : undefined
}

/** An address of media with a token behind it, where it has one. */
export function opened(url: string, token: string | undefined): string {
  return token ? `${url}${url.includes('?') ? '&' : '?'}token=${token}` : url
}
