import { rm, writeFile } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { ENVELOPE, TEXT_FIELDS } from '../../fields.ts'
import { ONCE_WITHIN } from '../../line.ts'
import type { Chunk, Loaded, Position } from '../../port.ts'
import { firstOf, type Piece, type PieceLine, readPiece } from '../../spool/read-piece.ts'
import { setAside } from '../../spool/set-aside.ts'
import { OWN_COLUMNS } from './schema.ts'
import { join, name, rows, type SqlQuery, sql } from './sql.ts'

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

const LINE_FEED = Buffer.from('\n')
// DuckDB reads in buffers of twice the longest line that it is told of, each by one thread.
const MIN_BUFFER = 2 ** 20

const isEnvelope = (field: string) => ENVELOPE.some((known) => known === field)

/** An event's own value, or the request's. */
function eitherValue(field: string): SqlQuery {
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

// Memory for the fields of so many events, as DuckDB reads them, is a good part of a gigabyte's half.
const LIMITS = { bytes: 8 * 2 ** 20, events: 50_000 }

export interface DuckDbLoading {
  connection: DuckDBConnection
  /** A file for what is being loaded. */
  temporary: string
  /** Whether reports use memory at the same time. */
  isShared(): boolean
}

/** Loads a piece of a chunk. One that fails is loaded in smaller ones, down to the line that makes it fail. */
export async function load(loading: DuckDbLoading, chunk: Chunk): Promise<Loaded> {
  const { spool, segment, from } = chunk
  const known = await position(loading.connection, spool)
  if (known && (known.segment > segment || (known.segment === segment && known.offset !== from)))
    return { ...known, aside: [] }
  const piece = await readPiece(chunk, LIMITS)
  for (let count = piece.lines.length; ; count = Math.ceil(count / 2)) {
    const part = firstOf(piece, count)
    try {
      return await write(loading, chunk, part)
    } catch (error) {
      if (!isOfLines(error as Error)) throw error
      if (count > 1) continue
      if (OUT_OF_MEMORY.test((error as Error).message) && (loading.isShared() || !part.lines.some(isLarge)))
        throw error
      const [reason] = (error as Error).message.split('\n') as [string]
      const rejected = [...part.rejected, ...part.lines.map((line) => ({ ...line, reason }))]
      return write(loading, chunk, { lines: [], rejected, end: part.end })
    }
  }
}

const OUT_OF_MEMORY = /^Out of Memory Error/
/** Where a line that is not large finds no memory, it is not the line that takes it. */
const isLarge = ({ bytes }: PieceLine) => bytes.length > 2 ** 18
/** What DuckDB says where it is what it reads that is wrong; of what does not fit, also where the disk is full. */
const OF_LINES = /^(Invalid Input|Invalid|Conversion|Out of Range|Mismatch Type|Out of Memory) Error/
const OF_DISK = /offload|temp_directory|no space left/i

function isOfLines({ message }: Error): boolean {
  return OF_LINES.test(message) && !OF_DISK.test(message)
}

/** Events and how far they go are written in one transaction: that is what makes it once. */
async function write({ connection, temporary }: DuckDbLoading, chunk: Chunk, piece: Piece): Promise<Loaded> {
  const run = ({ text, values }: SqlQuery) => connection.run(text, values)
  const { spool, segment } = chunk
  const whole = Buffer.concat(piece.lines.flatMap(({ bytes }) => [bytes, LINE_FEED]))
  await writeFile(temporary, whole, { mode: 0o600 })
  await connection.run('begin')
  try {
    if (piece.lines.length > 0) {
      const longest = piece.lines.reduce((most, { bytes }) => Math.max(most, bytes.length + 1), MIN_BUFFER)
      await run(readEvents(temporary, longest))
      await dropRepeated(connection)
      for (const query of NUMBER_NAMES) await run(query)
      await run(INSERT)
    }
    const aside = await setAside(chunk, piece.rejected)
    await run(sql`delete from spools where id = ${spool}`)
    await run(sql`insert into spools values (${spool}, ${segment}, ${piece.end})`)
    await connection.run('commit')
    return { segment, offset: piece.end, aside }
  } catch (error) {
    await connection.run('rollback').catch(() => {})
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

function literal(columns: Record<string, string>): SqlQuery {
  const pairs = Object.entries(columns).map(([column, type]) => `${column}: '${type}'`)
  return { text: `{${pairs.join(', ')}}`, values: [] }
}

interface NamedColumn extends Record<string, unknown> {
  organization: string
  request: string
  received: bigint
}

/** Of requests that name themselves, each counts once in a day. */
async function dropRepeated(connection: DuckDBConnection): Promise<void> {
  const named = await rows<NamedColumn & { line: bigint }>(
    connection,
    sql`select line, organization, request, received from batch where request is not null
      group by all order by min(rowid)`,
  )
  if (named.length === 0) return
  const counted = await rows<NamedColumn>(
    connection,
    sql`select * from requests where request in (select request from batch where request is not null)`,
  )
  const taken = new Map<string, number[]>()
  const timesOf = ({ organization, request }: NamedColumn) => {
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

const readEvents = (file: string, longest: number) => sql`create or replace temp table batch as
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
  from read_ndjson(${file}, columns = ${literal(LINE)}, maximum_object_size = ${longest}) l,
    lateral (select unnest(l.events) as event, generate_subscripts(l.events, 1) as index) e`

/** New names get the next numbers; then those of this batch, which are few, are at hand for the join. */
function numberNames(table: string, names: SqlQuery): SqlQuery[] {
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

const NUMBER_NAMES: SqlQuery[] = [
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
