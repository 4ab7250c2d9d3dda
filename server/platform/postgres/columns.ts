import { types } from 'pg'

type Parse = (text: string) => unknown

const TIMESTAMP = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/

/** `2026-01-02 03:04:05.678901+00`, as the server prints it, to RFC 3339 in milliseconds. */
export function toRfc3339(printed: string): string {
  const parts = TIMESTAMP.exec(printed)
  if (!parts) return new Date(printed).toISOString()
  return `${parts[1]}T${parts[2]}.${(parts[3] ?? '').slice(0, 3).padEnd(3, '0')}Z`
}

const asText: Parse = (text) => text
const asBoolean: Parse = (text) => text === 't'
const asBytes: Parse = (text) => Buffer.from(text.slice(2), 'hex')
const asJson: Parse = (text) => JSON.parse(text)

/** Types by the numbers that PostgreSQL gives them, each with the one of its arrays. */
const TYPES: [oid: number, ofArray: number, parse: Parse][] = [
  [16, 1000, asBoolean],
  [17, 1001, asBytes],
  // Byte counts and totals: all far below 2^53.
  [20, 1016, Number],
  [21, 1005, Number],
  [23, 1007, Number],
  [26, 1028, Number],
  [700, 1021, Number],
  [701, 1022, Number],
  [114, 199, asJson],
  [3802, 3807, asJson],
  // Timestamps stay text from the database to the wire.
  [1082, 1182, toRfc3339],
  [1114, 1115, toRfc3339],
  [1184, 1185, toRfc3339],
  ...[1009, 1015, 1014, 1002, 1003, 1231, 2951].map((ofArray): [number, number, Parse] => [
    -1,
    ofArray,
    asText,
  ]),
]

// The driver's type names single values only.
const TEXT_ARRAY = 1009 as number

/** An array's text to an array of its elements' texts, arrays of arrays included. */
const elements = types.getTypeParser(TEXT_ARRAY, 'text') as (text: string) => unknown[]

function arrayOf(parse: Parse): Parse {
  const each = (element: unknown): unknown => {
    if (Array.isArray(element)) return element.map(each)
    return element === null ? null : parse(element as string)
  }
  return (text) => elements(text).map(each)
}

const parsers = new Map<number, Parse>(
  TYPES.flatMap(([oid, ofArray, parse]) => [
    [oid, parse],
    [ofArray, arrayOf(parse)],
  ]),
)

/** How the text of a column becomes a value; what has no parser stays text. */
export const columnTypes = {
  getTypeParser: ((oid: number) => parsers.get(oid) ?? asText) as typeof types.getTypeParser,
}
