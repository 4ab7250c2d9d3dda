import { useQueries } from '@tanstack/react-query'
import { clientOf } from '../../api.ts'
import { shortId } from '../../format.ts'
import { useProject } from '../../session/use-project.ts'

/** Names of videos, feeds and posts by their ids. What was deleted since, or has no name, is called by the end of its id. */
export function useNames(ids: string[], feedId = ''): (id: string) => string {
  const { projectId } = useProject()
  const names = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['name', projectId, id, feedId],
      staleTime: 300_000,
      queryFn: ({ signal }: { signal: AbortSignal }) => nameOf(projectId, id, feedId, signal),
    })),
  })
  return (id) => names[ids.indexOf(id)]?.data || shortId(id)
}

async function nameOf(projectId: string, id: string, feedId: string, signal: AbortSignal): Promise<string> {
  const client = clientOf(projectId)
  try {
    if (id.startsWith('vid_')) {
      const { file } = await client.get('/videos/{videoId}', { path: { videoId: id }, signal })
      return file.name
    }
    if (id.startsWith('feed_')) {
      const { name } = await client.get('/feeds/{feedId}/info', { path: { feedId: id }, signal })
      return name
    }
    if (id.startsWith('post_') && feedId) {
      const path = { projectId, feedId, postId: id }
      const address = '/posts/v1/projects/{projectId}/feeds/{feedId}/posts/{postId}'
      const { description } = await client.get(address, { path, signal })
      return description
    }
  } catch {
    // Events outlive what they are about.
  }
  return ''
}
