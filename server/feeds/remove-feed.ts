import type { FeedId } from '../base/ids.ts'
import { defineQueue, type Handler, type JobQueue } from '../platform/jobs/port.ts'
import type { Sql, Transaction } from '../platform/postgres/client.ts'
import { removeSome } from './store.ts'

interface RemoveFeedPayload {
  feedId: FeedId
}

export const REMOVE_FEED = defineQueue<RemoveFeedPayload>('remove-feed')

export function enqueueRemoval(
  jobs: Pick<JobQueue, 'enqueue'>,
  tx: Transaction,
  feedId: FeedId,
): Promise<void> {
  return jobs.enqueue(tx, REMOVE_FEED, feedId, { feedId })
}

const AT_ONCE = 2000

/** Removes what a deleted feed leaves behind: of a large one, more than fits into a transaction well. */
export function removeFeed(sql: Sql): Handler<RemoveFeedPayload> {
  return {
    attempts: 10,
    concurrency: 1,
    async run({ payload: { feedId }, progressed }) {
      while (await removeSome(sql, feedId, AT_ONCE)) await progressed()
    },
    giveUp: async () => {},
  }
}
