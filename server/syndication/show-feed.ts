import type { CdnUrl } from '../base/cdn-url.ts'
import type { FeedId, FileId, ProjectId } from '../base/ids.ts'
import {
  type Post,
  type ResponseCache,
  readPublicFeed,
  type VersionedResponse,
  versionOfPublicFeed,
} from '../feeds/index.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { pictureSizes, soundSizes } from '../transcoding/index.ts'
import { downloadUrl, soundUrl } from '../uploads/index.ts'
import type { SizeUrl } from './about-post.ts'
import { feedPage } from './embed-page.ts'
import { requireCached } from './require-cached.ts'
import { podcastOf, rssOf } from './rss.ts'

export interface ShowFeedDeps {
  sql: Sql
  cdnUrl: CdnUrl
  baseUrl: string
  sizeUrl: SizeUrl
  cache: ResponseCache
}

/** As many as readers keep; what is older they have. */
const NEWEST = 100

/** A public feed for readers of RSS. */
export function showRss(feedId: FeedId, deps: ShowFeedDeps): Promise<VersionedResponse> {
  return cached('rss', feedId, deps, async (found) => rssOf({ ...found, ...deps }))
}

/** Its videos for podcast apps. */
export function showPodcast(feedId: FeedId, deps: ShowFeedDeps): Promise<VersionedResponse> {
  return cached('podcast', feedId, deps, async (found) => {
    const files = found.posts.flatMap(({ video }) => (video ? [video.file.id as FileId] : []))
    const [sounds, pictures] = await Promise.all([soundSizes(deps.sql, files), pictureSizes(deps.sql, files)])
    const filesOf = ({ video }: Post) => {
      const { id, url } = video!.file
      const sound = sounds.get(id as FileId)
      const film = { url: downloadUrl(url), bytes: (pictures.get(id as FileId) ?? 0) + (sound ?? 0) }
      return { film, sound: sound === undefined ? undefined : { url: soundUrl(url), bytes: sound } }
    }
    return podcastOf({ ...found, ...deps }, filesOf)
  })
}

/** As a page for an iframe. */
export function showFeedPage(feedId: FeedId, deps: ShowFeedDeps): Promise<VersionedResponse> {
  return cached('page', feedId, deps, async ({ feed }) => feedPage(feed, deps))
}

type Found = NonNullable<Awaited<ReturnType<typeof readPublicFeed>>>

async function cached(
  kind: string,
  feedId: FeedId,
  deps: ShowFeedDeps,
  write: (found: Found) => Promise<string>,
): Promise<VersionedResponse> {
  return requireCached(deps.cache, `${deps.cdnUrl.version()} ${kind} ${feedId}`, {
    version: () => versionOfPublicFeed(feedId, deps),
    async read() {
      const found = await readPublicFeed(feedId, NEWEST, deps)
      if (!found) return undefined
      const { version, feed } = found
      return { version, text: await write(found), projectId: feed.project_id as ProjectId }
    },
  })
}
