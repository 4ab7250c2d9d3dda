import { setTimeout as sleep } from 'node:timers/promises'
import { coalesce } from '../../base/async/coalesce.ts'
import type { Sql } from '../postgres/client.ts'
import { EventsUnavailable } from './errors.ts'

const ASKED = 'marquee_events_asked'
const ANSWERED = 'marquee_events_answered'

export interface PeersOptions {
  /** The spool of this process. */
  spool: string
  /** Loads everything that this process has taken so far. */
  flush(): Promise<void>
  onError(error: unknown): void
  /** Seconds without a sign of life after which a process counts as gone. */
  aliveSeconds?: number
  /** How long a report waits for another process. */
  patienceMs?: number
}

/** The processes that load into the same engine. */
export interface Peers {
  /** Resolves once each of the others has loaded what it had taken before, or is gone. */
  askPeers(): Promise<void>
  /** For when everything is loaded. */
  leave(): Promise<void>
}

/** Makes this process known to the others, and answers them from then on. */
export async function joinPeers(sql: Sql, options: PeersOptions): Promise<Peers> {
  const { spool, flush, onError, aliveSeconds = 10, patienceMs = 20_000 } = options
  const alive = sql`seen_at > now() - make_interval(secs => ${aliveSeconds})`
  const coalesced = coalesce()
  const wakers = new Set<() => void>()
  let left = false

  async function showLife(): Promise<void> {
    await sql`insert into event_loaders (spool) values (${spool})
      on conflict (spool) do update set seen_at = now()`
  }

  /** One flush answers everybody who asked before it began. */
  const answer = () =>
    coalesced('answer', async () => {
      const [row] = await sql<{ asked: number }[]>`
      select asked from event_loaders where spool = ${spool} and asked > answered`
      if (!row) return
      await flush()
      await sql`update event_loaders set answered = ${row.asked} where spool = ${spool}`
      await sql.notify(ANSWERED, spool)
    })
  const tryToAnswer = () => {
    if (!left) answer().catch(onError)
  }

  const askPeers = () =>
    coalesced('ask', async () => {
      const asked = await sql<{ spool: string; asked: number }[]>`
      update event_loaders set asked = asked + 1 where spool <> ${spool} and ${alive} returning spool, asked`
      if (asked.length === 0) return
      await sql.notify(ASKED, '')
      for (const deadline = performance.now() + patienceMs; ; ) {
        const waited = sql`select from event_loaders join unnest(${asked.map((each) => each.spool)}::text[],
        ${asked.map((each) => each.asked)}::bigint[]) as mine (spool, number) using (spool)
        where answered < number and ${alive}`
        const woken = new Promise<void>((resolve) => wakers.add(resolve))
        if ((await waited).length === 0) return
        if (performance.now() > deadline)
          throw new EventsUnavailable('another process has not loaded its events in time')
        // Notices can get lost with their connection, and who dies sends none.
        await Promise.race([woken, sleep(200)])
      }
    })

  await sql`delete from event_loaders where seen_at < now() - interval '1 day'`
  let shown = showLife()
  await shown
  const answers = await sql.listen(ANSWERED, () => {
    for (const wake of wakers) wake()
    wakers.clear()
  })
  const questions = await sql.listen(ASKED, tryToAnswer, tryToAnswer)
  const beat = setInterval(
    () => {
      shown = showLife().catch(onError)
      tryToAnswer()
    },
    (aliveSeconds * 1000) / 5,
  ).unref()

  return {
    askPeers,
    async leave() {
      left = true
      clearInterval(beat)
      // A sign of life that is under way would come after the farewell.
      await Promise.all([shown, questions.unlisten(), answers.unlisten()])
      await sql`delete from event_loaders where spool = ${spool}`
    },
  }
}
