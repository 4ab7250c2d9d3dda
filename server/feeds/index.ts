// Feeds and posts: what the start, the command line and other sites' view of them use.

export { openFeeds } from './open-feeds.ts'
export type { Post, PostVideo } from './posts/schemas.ts'
export { OnePost } from './posts/schemas.ts'
export {
  readPublicFeed,
  readPublicPost,
  versionOfPublicFeed,
  versionOfPublicPost,
} from './reading/public-feed.ts'
export { seesDrafts } from './reading/read-feed.ts'
export { readPost } from './reading/read-posts.ts'
export { type ResponseCache, responseCache, type VersionedResponse } from './reading/response-cache.ts'
export { REMOVE_FEED } from './remove-feed.ts'
export { type Feed, OneFeed } from './schemas.ts'
export { listTrashedFeeds, purgeFeeds, restoreFeed } from './trash.ts'
