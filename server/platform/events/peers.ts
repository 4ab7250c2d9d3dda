import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { coalesce } from '../../base/async/coalesce.ts'
import type { Sql } from '../postgres/client.ts'
import { EventsUnavailable } from './errors.ts'
import type { ErasedEvents } from './port.ts'

const ASKED = 'marquee_events_asked'
const ANSWERED = 'marquee_events_answered'

export interface PeersOptions {
  /** The spool of this process. */
  spool: string
  /** Loads everything that this process has taken so far. */
  flush(): Promise<void>
  /** Takes events that this process has taken so far out of the engine, and out of its spool. */
  erase(erased: ErasedEvents[]): Promise<void>
  /** The last erasure that its spool was without before it joined. */
  erasedTo: number
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
  /** Resolves once all have erased them, this one too; who is gone does it when it comes back. */
  erase(erased: ErasedEvents): Promise<void>
  /** For when everything is loaded. */
  leave(): Promise<void>
}

/** Longer than anybody keeps a spool that is not used. */
const REMEMBERED = '30 days'

interface ErasureRow {
  id: number
  organization: string
  project: string
  viewer: string | null
  before: number | null
}

/** What was erased while this spool was not there, and the last of it. */
export async function missedErasures(
  sql: Sql,
  spool: string,
): Promise<{ erased: ErasedEvents[]; erasedTo: number }> {
  const [known] = await sql<{ erased: number }[]>`select erased from event_loaders where spool = ${spool}`
  const rows = await erasuresAfter(sql, known?.erased ?? 0)
  return { erased: rows.map(toErased), erasedTo: rows.at(-1)?.id ?? known?.erased ?? 0 }
}

function erasuresAfter(sql: Sql, id: number) {
  return sql<ErasureRow[]>`
    select id, organization, project, viewer, before from event_erasures where id > ${id} order by id`
}

function toErased({ organization, project, viewer, before }: ErasureRow): ErasedEvents {
  return { organization, project, ...(viewer !== null && { viewer }), ...(before !== null && { before }) }
}

/** Makes this process known to the others, and answers them from then on. */
export async function joinPeers(sql: Sql, options: PeersOptions): Promise<Peers> {
  const { spool, flush, erase, erasedTo, onError, aliveSeconds = 10, patienceMs = 20_000 } = options
  const alive = sql`seen_at > now() - make_interval(secs => ${aliveSeconds})`
  const coalesced = coalesce()
  const wakers = new Set<() => void>()
  let left = false

  async function showLife(): Promise<void> {
    await sql`insert into event_loaders (spool, erased) values (${spool}, ${erasedTo})
      on conflict (spool) do update
      set seen_at = now(), erased = greatest(event_loaders.erased, excluded.erased)`
    await sql`delete from event_erasures where asked_at < now() - ${REMEMBERED}::interval`
  }

  /** One flush answers everybody who asked before it began. */
  const answer = () =>
    coalesced('answer', async () => {
      const [row] = await sql<{ asked: number; answered: number; erased: number }[]>`
      select asked, answered, erased from event_loaders where spool = ${spool}`
      if (!row) return
      const missed = await erasuresAfter(sql, row.erased)
      if (row.asked === row.answered && missed.length === 0) return
      if (row.asked > row.answered) {
        await flush()
        await sql`update event_loaders set answered = ${row.asked} where spool = ${spool}`
        await sql.notify(ANSWERED, spool)
      }
      if (missed.length > 0) {
        await erase(missed.map(toErased))
        await sql`update event_loaders set erased = ${missed.at(-1)!.id} where spool = ${spool}`
        await sql.notify(ANSWERED, spool)
      }
    })
  const tryToAnswer = () => {
    if (!left) answer().catch(onError)
  }

  const askPeers = () =>
    coalesced('ask', async () => {
      const asked = await sql<{ spool: string; asked: number }[]>`
      update event_loaders set asked = asked + 1 where spool <> ${spool} and ${alive} returning spool, asked`
      if (asked.length === 0) return
      const spools = asked.map((each) => each.spool)
      const numbers = asked.map((each) => each.asked)
      await untilNone('loaded', () => {
        return sql`select from event_loaders join unnest(${spools}::text[], ${numbers}::bigint[]) as mine (spool, number)
          using (spool) where answered < number and ${alive}`
      })
    })

  /** Asks the others, and waits until none is left that has not answered. */
  async function untilNone(done: string, unanswered: () => PromiseLike<readonly object[]>): Promise<void> {
    await sql.notify(ASKED, '')
    for (const deadline = performance.now() + patienceMs; ; ) {
      const woken = new Promise<void>((resolve) => wakers.add(resolve))
      if ((await unanswered()).length === 0) return
      if (performance.now() > deadline)
        throw new EventsUnavailable(`another process has not ${done} its events in time`)
      // Notices can get lost with their connection, and who dies sends none.
      await Promise.race([woken, sleep(200)])
    }
  }

  await sql`delete from event_loaders where seen_at < now() - ${REMEMBERED}::interval`
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
    async erase({ organization, project, viewer, before }) {
      const [made] = await sql.begin(async (tx) => {
        // One at a time: none may come to be seen after one that follows it.
        await tx`lock table event_erasures in exclusive mode`
        return tx<{ id: number }[]>`
          insert into event_erasures (organization, project, viewer, before)
          values (${organization}, ${project}, ${viewer ?? null}, ${before ?? null}) returning id`
      })
      await answer()
      await untilNone('erased', () => sql`select from event_loaders where erased < ${made!.id} and ${alive}`)
    },
    async leave() {
      left = true
      clearInterval(beat)
      // A sign of life that is under way would come after the farewell.
      await Promise.all([shown, questions.unlisten(), answers.unlisten()])
      // What it has erased is remembered: it need not be looked for again.
      await sql`update event_loaders set seen_at = now() - make_interval(secs => ${aliveSeconds})
        where spool = ${spool}`
    },
  }
}

/** For somebody who only reads: resolves once all processes that run have loaded what they had taken before. */
export async function askAllPeers(sql: Sql, onError: (error: unknown) => void): Promise<void> {
  const spool = `reader-${randomBytes(8).toString('hex')}`
  const [last] = await sql<{ id: number }[]>`select coalesce(max(id), 0) as id from event_erasures`
  const nothing = async () => {}
  const peers = await joinPeers(sql, { spool, flush: nothing, erase: nothing, erasedTo: last!.id, onError })
  try {
    await peers.askPeers()
  } finally {
    await peers.leave()
    await sql`delete from event_loaders where spool = ${spool}`
  }
}

/** How many processes load into the same engine at this moment. */
export async function countPeers(sql: Sql): Promise<number> {
  const [row] = await sql<{ there: boolean }[]>`select to_regclass('event_loaders') is not null as there`
  if (!row!.there) return 0
  const alive = await sql`select from event_loaders where seen_at > now() - interval '10 seconds'`
  return alive.length
}
