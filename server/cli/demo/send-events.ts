import type { Client } from '../../../packages/client/src/node.ts'
import { MAIN_FEED } from './library/feeds.ts'
import { filmsOf } from './library/films.ts'
import { PICTURES } from './library/pictures.ts'
import type { StepLines } from './progress.ts'
import type { DemoState } from './state.ts'
import { historyOf } from './viewers/calendar.ts'
import { viewersOf } from './viewers/viewers.ts'
import type { Shown } from './viewers/visit.ts'

export interface SendOptions {
  client: Client
  state: DemoState
  keep(): void
  signal: AbortSignal
  progress: StepLines
}

const AT_ONCE = 16
/** The state is kept after so many: what lies between counts once by its key. */
const KEEP_EVERY = AT_ONCE * 8

/** Sends what all viewers did, a request for each of them; one that is sent again counts once. */
export async function sendEvents({ client, state, keep, signal, progress }: SendOptions): Promise<number> {
  state.until ??= Date.now()
  keep()
  const viewers = viewersOf(historyOf(state.days, state.until), shownIn(state))
  for (let from = state.sent; from < viewers.length; from += KEEP_EVERY) {
    const waiting = viewers.slice(from, from + KEEP_EVERY)
    const sender = async () => {
      for (let viewer = waiting.shift(); viewer; viewer = waiting.shift()) {
        signal.throwIfAborted()
        const idempotencyKey = `demo-${viewer.user_id}`
        await client.post('/analytics/v1/events', { body: viewer, idempotencyKey })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, sender))
    state.sent = Math.min(viewers.length, from + KEEP_EVERY)
    keep()
    progress.show('sending events', state.sent / viewers.length)
  }
  const events = viewers.reduce((sum, one) => sum + one.events.length, 0)
  progress.done(`${events} events of ${viewers.length} viewers in ${state.days} days are sent.`)
  return events
}

function shownIn(state: DemoState): Shown {
  const { videos, images, feeds, posts } = state
  const postOf = (slug: string) => posts[`${MAIN_FEED}/${slug}`]!
  return {
    feedId: feeds[MAIN_FEED]!,
    films: filmsOf(state).map((film) => ({
      film,
      videoId: videos[film.slug]!,
      postId: postOf(film.slug),
    })),
    pictures: PICTURES.filter(({ slug }) => images[slug]).map(({ slug }) => ({
      imageId: images[slug]!,
      postId: postOf(slug),
    })),
  }
}
