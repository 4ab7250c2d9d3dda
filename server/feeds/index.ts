// Feeds and posts: what the start and the command line use of them.

export { openFeeds } from './open-feeds.ts'
export { REMOVE_FEED } from './remove-feed.ts'
export { listTrashedFeeds, purgeFeeds, restoreFeed } from './trash.ts'
