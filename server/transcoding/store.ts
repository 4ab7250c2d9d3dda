import type { FileId } from '../base/ids.ts'
import type { PlaybackPlan } from '../media/video/plan.ts'
import type { Rates } from '../media/video/rates.ts'
import { CLOCK } from '../media/video/timeline.ts'
import type { Query, Queryable, Sql, Transaction } from '../platform/postgres/client.ts'

/** The number under which a rendition's initialisation segment is kept. */
export const INIT = -1
/** The number that stands for all of a rendition, where it is made in one pass. */
export const WHOLE = -2

export async function insertPlan(tx: Transaction, fileId: FileId, plan: PlaybackPlan): Promise<void> {
  await tx`
    insert into playback_plans (file_id, plan) values (${fileId}, ${tx.json(plan as never)})
    on conflict (file_id) do update set plan = excluded.plan`
}

export async function findPlan(sql: Queryable, fileId: FileId): Promise<PlaybackPlan | undefined> {
  const [row] = await sql<{ plan: PlaybackPlan }[]>`select plan from playback_plans where file_id = ${fileId}`
  return row?.plan
}

/** Whether a file is still there to be played. */
export async function isPlayed(sql: Queryable, fileId: FileId): Promise<boolean> {
  const rows = await sql`
    select from playback_plans p join files f on f.id = p.file_id
    where p.file_id = ${fileId} and f.deleted_at is null`
  return rows.length > 0
}

export async function findRates(sql: Queryable, fileId: FileId): Promise<Record<string, Rates>> {
  const [row] = await sql<{ rates: Record<string, Rates> }[]>`
    select rates from playback_plans where file_id = ${fileId}`
  return row?.rates ?? {}
}

export async function addRates(sql: Queryable, fileId: FileId, rates: Record<string, Rates>): Promise<void> {
  await sql`
    update playback_plans set rates = rates || ${sql.json(rates as never)}::jsonb where file_id = ${fileId}`
}

export async function isMade(
  sql: Queryable,
  fileId: FileId,
  rendition: string,
  number: number,
): Promise<boolean> {
  const rows = await sql`
    select from segments where file_id = ${fileId} and rendition = ${rendition} and number = ${number}`
  return rows.length > 0
}

/** The bytes of each segment that is made, by its number. */
export async function madeSegments(
  sql: Queryable,
  fileId: FileId,
  rendition: string,
): Promise<Map<number, number>> {
  const rows = await sql<{ number: number; bytes: number }[]>`
    select number, bytes from segments where file_id = ${fileId} and rendition = ${rendition}`
  return new Map(rows.map(({ number, bytes }) => [number, bytes]))
}

/** What a sound takes where it is not known yet, in bits a second. */
const EXPECTED_RATE = 192_000

/**
 * The bytes of each film's own sound, put together: exactly where all of it is made, else what it is likely to take.
 * Films without one are left out.
 */
export async function soundSizes(sql: Queryable, fileIds: FileId[]): Promise<Map<FileId, number>> {
  const rows = await sql<{ file_id: FileId; bytes: number }[]>`
    select p.file_id, case
        when made.number > jsonb_array_length(p.plan->'segments') then made.bytes
        else ((p.plan->>'end')::float8 * ${EXPECTED_RATE / 8 / CLOCK})::bigint
      end as bytes
    from playback_plans p
    cross join lateral (
      select a->>'name' as name from jsonb_array_elements(p.plan->'audio') with ordinality as t(a, i)
      order by (a->>'isDefault')::boolean desc, i limit 1
    ) sound
    cross join lateral (
      select count(*) as number, coalesce(sum(bytes), 0)::bigint as bytes from segments s
      where s.file_id = p.file_id and s.rendition = sound.name
    ) made
    where p.file_id = any(${fileIds})`
  return new Map(rows.map(({ file_id, bytes }) => [file_id, bytes]))
}

/**
 * The bytes of the pictures of each film in its largest rendition, put together: those of its segments where all are made,
 * else what they are likely to take.
 */
export async function pictureSizes(sql: Queryable, fileIds: FileId[]): Promise<Map<FileId, number>> {
  const rows = await sql<{ file_id: FileId; bytes: number }[]>`
    select p.file_id, case
        when made.number > jsonb_array_length(p.plan->'segments') then made.bytes
        else ((p.plan->>'end')::float8 * largest.rate / ${8 * CLOCK})::bigint
      end as bytes
    from playback_plans p
    cross join lateral (
      select v->>'name' as name, coalesce(v->'rates'->>'average', v->>'maxRate')::float8 as rate
      from (select p.plan->'video'->-1 as v) last
    ) largest
    cross join lateral (
      select count(*) as number, coalesce(sum(bytes), 0)::bigint as bytes from segments s
      where s.file_id = p.file_id and s.rendition = largest.name
    ) made
    where p.file_id = any(${fileIds})`
  return new Map(rows.map(({ file_id, bytes }) => [file_id, bytes]))
}

/** How many segments of each rendition are made. */
export async function countSegments(sql: Queryable, fileId: FileId): Promise<Record<string, number>> {
  const rows = await sql<{ rendition: string; made: number }[]>`
    select rendition, count(*) as made from segments where file_id = ${fileId} and number >= 0 group by rendition`
  return Object.fromEntries(rows.map(({ rendition, made }) => [rendition, made]))
}

/**
 * Of each film, how much of its segments is made, from 0 to 1. All of it means that nothing is left to be done, and
 * not that the last segment is there.
 */
export async function filledShares(
  sql: Queryable,
  films: { file_id: FileId; tracks: string[] }[],
): Promise<Map<FileId, number>> {
  if (films.length === 0) return new Map()
  const added = films.flatMap(({ file_id, tracks }) => tracks.map((name) => ({ file_id, name })))
  // Segments are counted only where some are missing: a long film has tens of thousands.
  const rows = await sql<{ file_id: FileId; share: number }[]>`
    select p.file_id, case
        when renditions.are_settled then 1.0
        else least((select count(*) from segments s where s.file_id = p.file_id and s.number >= 0)::float8
          / greatest(renditions.number * jsonb_array_length(p.plan->'segments'), 1), 0.999)
      end::float8 as share
    from playback_plans p cross join lateral (
      select count(*) as number, coalesce(bool_and(p.rates ? name), true) as are_settled from (
        select one->>'name' as name from jsonb_array_elements((p.plan->'video') || (p.plan->'audio')) one
        union all
        select a.name from unnest(
          ${added.map(({ file_id }) => file_id)}::text[], ${added.map(({ name }) => name)}::text[]) a(file_id, name)
        where a.file_id = p.file_id
      ) names
    ) renditions
    where p.file_id = any(${films.map(({ file_id }) => file_id)})`
  return new Map(rows.map(({ file_id, share }) => [file_id, share]))
}

/** Notes a segment that is made, as long as its claim is held; answers how many bytes that added. */
export async function insertSegments(
  tx: Transaction,
  { fileId, rendition, holder }: { fileId: FileId; rendition: string; holder: string },
  made: { number: number; bytes: number }[],
): Promise<number | undefined> {
  const claims = await tx`
    select from segment_claims where file_id = ${fileId} and rendition = ${rendition} and holder = ${holder}
      and number in (${WHOLE}, ${made[0]!.number}) order by number for update`
  if (claims.length === 0) return undefined
  const inserted = await tx<{ bytes: number }[]>`
    insert into segments ${tx(made.map((one) => ({ file_id: fileId, rendition, ...one })))}
    on conflict do nothing returning bytes`
  await tx`
    delete from segment_claims
    where file_id = ${fileId} and rendition = ${rendition} and holder = ${holder} and number = ${made[0]!.number}`
  return inserted.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Whether a segment, or any of its rendition where none is named, is made, or made by another than the holder. */
export async function isWanted(
  sql: Queryable,
  {
    fileId,
    rendition,
    holder,
    number,
  }: { fileId: FileId; rendition: string; holder: string; number?: number },
): Promise<boolean> {
  const numbers = number === undefined ? sql`` : sql`and number in (${WHOLE}, ${number})`
  const rows = await sql`
    select from segments where file_id = ${fileId} and rendition = ${rendition} ${numbers}
    union all
    select from segment_claims where file_id = ${fileId} and rendition = ${rendition} ${numbers}
      and holder <> ${holder} and claimed_until >= now()`
  return rows.length > 0
}

/** Forgets a rendition's segments and answers how many bytes they had. */
export async function deleteRendition(tx: Transaction, fileId: FileId, rendition: string): Promise<number> {
  const [row] = await tx<{ bytes: number }[]>`
    with gone as (delete from segments where file_id = ${fileId} and rendition = ${rendition} returning bytes)
    select coalesce(sum(bytes), 0)::bigint as bytes from gone`
  await deleteClaims(tx, tx`c.file_id = ${fileId} and c.rendition = ${rendition}`)
  return row!.bytes
}

/**
 * Claims are locked in one order, that of their key, by everything that touches several: two that need the same ones then wait
 * for one another, and never each for the other.
 */
function lockedClaims(sql: Queryable, which: Query<object[]>) {
  return sql`
    select c.file_id, c.rendition, c.number from segment_claims c where ${which}
    order by c.file_id, c.rendition, c.number for update`
}

async function deleteClaims(
  sql: Queryable,
  which: Query<object[]>,
): Promise<{ rendition: string; number: number }[]> {
  return sql<{ rendition: string; number: number }[]>`
    with locked as materialized (${lockedClaims(sql, which)})
    delete from segment_claims c using locked l
    where (c.file_id, c.rendition, c.number) = (l.file_id, l.rendition, l.number)
    returning c.rendition, c.number`
}

export interface Claim {
  fileId: FileId
  renditions: string[]
  first: number
  end: number
  holder: string
}

/**
 * Takes segments that are not made and that nobody makes; answers which it got. Like everybody who changes
 * what belongs to a file, it takes the file first, and it touches no claim of others that holds: whoever
 * notes a segment then never waits for somebody who waits for them.
 */
export async function claimSegments(
  sql: Sql,
  { fileId, renditions, first, end, holder }: Claim,
  seconds: number,
): Promise<{ rendition: string; number: number }[]> {
  const claimed = await sql<{ rendition: string; number: number }[]>`
    insert into segment_claims (file_id, rendition, number, holder, claimed_until)
    select f.id, wanted.rendition, wanted.number, ${holder}, now() + make_interval(secs => ${seconds})
    from (select id from files where id = ${fileId} and deleted_at is null for key share) f, (
      select rendition, number
      from unnest(${renditions}::text[]) rendition, generate_series(${first}::int, ${end - 1}::int) number) wanted
    where not exists (
      select from segments s
      where s.file_id = f.id and s.rendition = wanted.rendition and s.number = wanted.number)
    and not exists (
      select from segment_claims c
      where c.file_id = f.id and c.rendition = wanted.rendition and c.number = wanted.number
        and c.claimed_until >= now())
    order by wanted.rendition, wanted.number
    on conflict (file_id, rendition, number) do update
      set holder = excluded.holder, claimed_until = excluded.claimed_until
      where segment_claims.claimed_until < now()
    returning rendition, number`
  // One whose maker was just then noting it and letting go of it: seen as made only now, and not to be made again.
  const late = await deleteClaims(
    sql,
    sql`c.holder = ${holder} and c.file_id = ${fileId} and exists (
      select from segments s
      where s.file_id = c.file_id and s.rendition = c.rendition and s.number = c.number)`,
  )
  const isLate = (one: { rendition: string; number: number }) =>
    late.some(({ rendition, number }) => rendition === one.rendition && number === one.number)
  return claimed.filter((one) => !isLate(one))
}

/** Segments of these renditions that somebody makes right now, and how many do. */
export async function claimedSegments(
  sql: Queryable,
  fileId: FileId,
  renditions: string[],
): Promise<{ isClaimed: (rendition: string, number: number) => boolean; makers: number }> {
  const rows = await sql<{ rendition: string; number: number; holder: string }[]>`
    select rendition, number, holder from segment_claims
    where file_id = ${fileId} and rendition = any(${renditions}) and number >= 0 and claimed_until >= now()`
  const claimed = new Set(rows.map(({ rendition, number }) => `${rendition} ${number}`))
  return {
    isClaimed: (rendition, number) => claimed.has(`${rendition} ${number}`),
    makers: new Set(rows.map(({ holder }) => holder)).size,
  }
}

export async function renewClaims(sql: Sql, holder: string, seconds: number): Promise<void> {
  await sql`
    with locked as materialized (${lockedClaims(sql, sql`c.holder = ${holder}`)})
    update segment_claims c set claimed_until = now() + make_interval(secs => ${seconds}) from locked l
    where (c.file_id, c.rendition, c.number) = (l.file_id, l.rendition, l.number)`
}

export async function releaseClaims(sql: Sql, holder: string): Promise<void> {
  await deleteClaims(sql, sql`c.holder = ${holder}`)
}
