import { paginate, type Schemas } from '@marquee/client'
import { queryOptions } from '@tanstack/react-query'
import { clientOf } from '../../api.ts'

/** The feeds of a project that can be chosen from. */
export const feedsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['feeds-to-choose', projectId],
    queryFn: async ({ signal }): Promise<Schemas['Feed'][]> => {
      const feeds: Schemas['Feed'][] = []
      const all = paginate(clientOf(projectId), '/feeds', { query: { limit: 100 }, signal })
      for await (const feed of all) feeds.push(feed)
      return feeds.sort((a, b) => a.name.localeCompare(b.name))
    },
  })
