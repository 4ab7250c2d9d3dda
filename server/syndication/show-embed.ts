import { notFound } from '../base/errors.ts'
import type { FeedId, PostId } from '../base/ids.ts'
import { readPublicPost, type VersionedResponse, versionOfPublicPost } from '../feeds/index.ts'
import { postPage } from './embed-page.ts'
import type { EmbedQuery } from './schemas.ts'
import type { ShowFeedDeps } from './show-feed.ts'

/** A published post as a page for an iframe. */
export async function showEmbed(
  address: { feedId: FeedId; postId: PostId },
  options: EmbedQuery,
  deps: ShowFeedDeps,
): Promise<VersionedResponse> {
  const response = await deps.cache.get(
    `embed ${address.feedId} ${address.postId} ${JSON.stringify(options)}`,
    () => versionOfPublicPost(address, deps),
    async () => {
      const found = await readPublicPost(address, deps)
      return found && { version: found.version, text: postPage(found.post, options, deps.baseUrl) }
    },
  )
  if (!response) throw notFound()
  return response
}
