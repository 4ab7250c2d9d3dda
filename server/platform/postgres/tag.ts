import { Columns, Query, type RunStatement, type Value } from './query.ts'
import { JsonValue } from './statement.ts'

// biome-ignore lint/suspicious/noExplicitAny: a row whose columns nobody has named may hold anything.
type AnyRow = Record<string, any>

/** Where statements run: on connections that they share, or inside a transaction that somebody opened. */
export interface Tag {
  <T extends readonly object[] = AnyRow[]>(strings: TemplateStringsArray, ...values: Value[]): Query<T>
  /** The columns of a row, or of rows, behind `insert into t` or `set`; all of them where none is named. */
  <T extends object>(rows: T | readonly T[], ...names: (keyof T & string)[]): Columns
  /** A value that is stored as JSON. */
  json(value: unknown): JsonValue
  /** Text as it is: several statements in one, or a part of another. Nothing from outside belongs into it. */
  unsafe<T extends readonly object[] = AnyRow[]>(text: string): Query<T>
}

/** A tag whose statements are run so; `runText` takes several statements in one text. */
export function tagFor(run: RunStatement, runText: RunStatement): Tag {
  const tag = (first: TemplateStringsArray | object, ...rest: unknown[]) => {
    if (isTemplate(first)) return new Query(first, rest as Value[], run)
    const rows = (Array.isArray(first) ? first : [first]) as Record<string, Value>[]
    return new Columns(rows, rest.length > 0 ? (rest as string[]) : Object.keys(rows[0] ?? {}))
  }
  return Object.assign(tag, {
    json: (value: unknown) => new JsonValue(value),
    unsafe: (text: string) => new Query([text], [], runText),
  }) as Tag
}

function isTemplate(first: object): first is TemplateStringsArray {
  return Array.isArray(first) && 'raw' in first
}
