import type { CdnUrl } from '../base/cdn-url.ts'
import type { FeedId, ImageId, PostId, VideoId } from '../base/ids.ts'
import { readPost } from '../feeds/index.ts'
import { readImage } from '../images/index.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { readVideo } from '../videos/index.ts'
import type { UntoldMessage } from '../webhooks/index.ts'

/** Reads what a webhook's message is about, as the API shows it. Of what was deleted there is its id. */
export const webhookRecords =
  (deps: { sql: Sql; cdnUrl: CdnUrl }) =>
  async ({ kind, project_id: projectId, resource, data }: UntoldMessage): Promise<object | undefined> => {
    if (!projectId) return undefined
    switch (kind) {
      case 'video.ready':
      case 'video.processed':
      case 'video.failed':
        return readVideo(projectId, resource as VideoId, deps)
      case 'image.ready':
        return readImage(projectId, resource as ImageId, deps)
      case 'post.published': {
        const address = { feedId: data.feed_id as FeedId, postId: resource as PostId }
        return (await readPost({ projectId, ...address, drafts: true }, deps))?.post
      }
      default:
        return undefined
    }
  }
