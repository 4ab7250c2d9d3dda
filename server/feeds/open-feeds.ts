import { coalesce } from '../base/async/coalesce.ts'
import { handle } from '../platform/jobs/port.ts'
import type { DeleteFeedDeps } from './manage-feeds.ts'
import type { PostDeps } from './posts/routes.ts'
import { responseCache } from './reading/response-cache.ts'
import { REMOVE_FEED, removeFeed } from './remove-feed.ts'
import { feedRoutes } from './routes.ts'

type FeedsSliceDeps = Omit<PostDeps, 'cache' | 'look'> & DeleteFeedDeps

export function openFeeds(deps: FeedsSliceDeps) {
  return {
    routes: [feedRoutes({ ...deps, cache: responseCache(), look: coalesce() })],
    jobs: [handle(REMOVE_FEED, removeFeed(deps.sql))],
  }
}
