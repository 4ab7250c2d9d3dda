import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { ENVELOPE, TEXT_FIELDS } from '../../fields.ts'
import { ONCE_WITHIN } from '../../line.ts'
import type { Chunk, Position } from '../../port.ts'
import { OWN_COLUMNS } from './schema.ts'
import { join, name, type Query, rows, sql } from './sql.ts'

const struct = (fields: readonly string[]) =>
  `struct(${fields.map((field) => `${name(field).text} varchar`)})`

const EVENT = [
  'kind varchar',
  'viewer varchar',
  'video varchar',
  ...Object.entries(OWN_COLUMNS).map(([column, type]) => `${name(column).text} ${type}`),
  `fields ${struct(TEXT_FIELDS)}`,
]

/** line.ts, as DuckDB reads it. */
const LINE = {
  organization: 'varchar',
  project: 'varchar',
  received: 'bigint',
  arrival: 'bigint',
  request: 'varchar',
  viewer: 'varchar',
  envelope: struct(ENVELOPE),
  events: `struct(${EVENT.join(', ')})[]`,
}

// A request is 2 MiB at most; what is added to it on the way here makes it several times as long at worst.
const MAX_LINE = 32 * 2 ** 20

const isEnvelope = (field: string) => ENVELOPE.some((known) => known === field)

/** An event's own value, or the request's. */
function eitherValue(field: string): Query {
  const own = sql`e.event.fields.${name(field)}`
  return isEnvelope(field) ? sql`coalesce(${own}, l.envelope.${name(field)})` : own
}

export async function position(connection: DuckDBConnection, spool: string): Promise<Position | undefined> {
  const [row] = await rows<{ segment: bigint; position: bigint }>(
    connection,
    sql`select segment, position from spools where id = ${spool}`,
  )
  return row && { segment: Number(row.segment), offset: Number(row.position) }
}

/** Events and how far they go are written in one transaction: that is what makes it once. */
export async function load(connection: DuckDBConnection, chunk: Chunk, temporary: string): Promise<Position> {
  const run = ({ text, values }: Query) => connection.run(text, values)
  const { spool, segment, from, to } = chunk
  const known = await position(connection, spool)
  if (known && (known.segment > segment || (known.segment === segment && known.offset !== from))) return known

  await pipeline(
    createReadStream(chunk.path, { start: from, end: to - 1 }),
    createWriteStream(temporary, { mode: 0o600 }),
  )
  await connection.run('begin')
  try {
    await run(readEvents(temporary))
    await dropRepeated(connection)
    for (const query of NUMBER_NAMES) await run(query)
    await run(INSERT)
    await run(sql`delete from spools where id = ${spool}`)
    await run(sql`insert into spools values (${spool}, ${segment}, ${to})`)
    await connection.run('commit')
  } catch (error) {
    await connection.run('rollback').catch(() => {})
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
  return { segment, offset: to }
}

function literal(columns: Record<string, string>): Query {
  const pairs = Object.entries(columns).map(([column, type]) => `${column}: '${type}'`)
  return { text: `{${pairs.join(', ')}}`, values: [] }
}

interface Named extends Record<string, unknown> {
  organization: string
  request: string
  received: bigint
}

/** Of requests that name themselves, each counts once in a day. */
async function dropRepeated(connection: DuckDBConnection): Promise<void> {
  const named = await rows<Named & { line: bigint }>(
    connection,
    sql`select line, organization, request, received from batch where request is not null
      group by all order by min(rowid)`,
  )
  if (named.length === 0) return
  const counted = await rows<Named>(
    connection,
    sql`select * from requests where request in (select request from batch where request is not null)`,
  )
  const taken = new Map<string, number[]>()
  const timesOf = ({ organization, request }: Named) => {
    const key = `${organization} ${request}`
    if (!taken.has(key)) taken.set(key, [])
    return taken.get(key)!
  }
  for (const one of counted) timesOf(one).push(Number(one.received))
  for (const one of named) {
    const received = Number(one.received)
    const times = timesOf(one)
    const isRepeated = times.some((time) => Math.abs(time - received) < ONCE_WITHIN)
    const { organization, request } = one
    const query = isRepeated
      ? sql`delete from batch where line = ${one.line} and request = ${request}`
      : sql`insert into requests values (${organization}, ${request}, ${received})`
    if (!isRepeated) times.push(received)
    await connection.run(query.text, query.values)
  }
  const newest = Math.max(...named.map(({ received }) => Number(received)))
  const old = sql`delete from requests where received < ${newest - 2 * ONCE_WITHIN}`
  await connection.run(old.text, old.values)
}

const OWN = Object.keys(OWN_COLUMNS)

const readEvents = (file: string) => sql`create or replace temp table batch as
  select l.organization, l.project, l.received, l.request, l.arrival as line, l.arrival + e.index - 1 as arrival,
    coalesce(l.viewer, e.event.viewer) as viewer, e.event.kind, nullif(e.event.video, '') as video,
    ${join(
      OWN.map((column) => sql`e.event.${name(column)}`),
      ', ',
    )},
    ${join(
      TEXT_FIELDS.map((field) => sql`${eitherValue(field)} as ${name(field)}`),
      ', ',
    )}
  from read_ndjson(${file}, columns = ${literal(LINE)}, maximum_object_size = ${MAX_LINE}) l,
    lateral (select unnest(l.events) as event, generate_subscripts(l.events, 1) as index) e`

/** New names get the next numbers; then those of this batch, which are few, are at hand for the join. */
function numberNames(table: string, names: Query): Query[] {
  const of = name(table)
  return [
    sql`create or replace temp table wanted as select distinct name from (${names}) where name is not null`,
    sql`insert into ${of}
      select (select count(*) from ${of}) + row_number() over () - 1, name
      from wanted where name not in (select name from ${of})`,
    sql`create or replace temp table ${name(`${table}_here`)} as
      select no, name from ${of} where name in (select name from wanted)`,
  ]
}

const NUMBER_NAMES: Query[] = [
  ...numberNames('viewers', sql`select viewer as name from batch`),
  ...numberNames(
    'contents',
    sql`select unnest([video, nullif(post_id, ''), nullif(feed_id, '')]) as name from batch`,
  ),
  sql`insert into projects
    select (select count(*) from projects) + row_number() over () - 1, organization, project
    from (select distinct organization, project from batch) anti join projects using (organization, project)`,
]

const INSERT = sql`insert into events by name
  select p.no as project, viewer.no as viewer, b.kind::kind as kind, b.received, b.arrival,
    case b.view_type when 'start' then 1 when 'watch' then 2 when 'end' then 3 else 0 end as view,
    video.no as video, post.no as post, feed.no as feed,
    ${join(
      [...OWN, ...TEXT_FIELDS].map((column) => sql`b.${name(column)}`),
      ', ',
    )}
  from batch b
  join projects p on p.organization = b.organization and p.project = b.project
  left join viewers_here viewer on viewer.name = b.viewer
  left join contents_here video on video.name = b.video
  left join contents_here post on post.name = b.post_id
  left join contents_here feed on feed.name = b.feed_id`
