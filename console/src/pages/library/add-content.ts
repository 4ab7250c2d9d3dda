import type { Client, Schemas } from '@marquee/client'

const MOST = 100

/** Makes posts of media. Later is newer in a feed: what is first here is to be first there. */
export async function addContent(
  client: Client,
  feedId: string,
  items: readonly { id: string }[],
): Promise<Schemas['Post'][]> {
  const ids = items.map(({ id }) => id).reverse()
  const posts: Schemas['Post'][] = []
  for (let from = 0; from < ids.length; from += MOST) {
    const body = { content_ids: ids.slice(from, from + MOST), content_type: 'mixed' as const }
    const { data } = await client.post('/feeds/{feedId}/content', {
      path: { feedId },
      body,
      // What a feed shows already is not added again.
      isRepeatable: true,
    })
    posts.push(...data)
  }
  return posts
}
