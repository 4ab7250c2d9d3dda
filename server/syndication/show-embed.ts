import type { FeedId, PostId } from '../base/ids.ts'
import { readPublicPost, type VersionedResponse, versionOfPublicPost } from '../feeds/index.ts'
import { postPage } from './embed-page.ts'
import { requireCached } from './require-cached.ts'
import type { EmbedQuery } from './schemas.ts'
import type { ShowFeedDeps } from './show-feed.ts'

/** A published post as a page for an iframe. */
export async function showEmbed(
  address: { feedId: FeedId; postId: PostId },
  options: EmbedQuery,
  deps: ShowFeedDeps,
): Promise<VersionedResponse> {
  const name = `${deps.cdnUrl.version()} embed ${address.feedId} ${address.postId} ${JSON.stringify(options)}`
  return requireCached(deps.cache, name, {
    version: () => versionOfPublicPost(address, deps),
    async read() {
      const found = await readPublicPost(address, deps)
      return found && { version: found.version, text: postPage(found.post, options, deps) }
    },
  })
}
