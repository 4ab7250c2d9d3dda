import type { FeedId, PostId, ProjectId } from '../base/ids.ts'
import { type Post, readPublicPost, type VersionedResponse, versionOfPublicPost } from '../feeds/index.ts'
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
      if (!found) return undefined
      const { version, post } = found
      return { version, text: postPage(post, options, deps), projectId: projectOf(post) }
    },
  })
}

function projectOf({ video, image }: Post): ProjectId {
  return (video ?? image)!.file.project_id as ProjectId
}
