import { escapeIdentifier } from 'pg'
import { Draft, type JsonValue, type Statement } from './statement.ts'

/** Rows, and how many a statement has returned, added, changed or removed. */
export type Rows<T> = T & { readonly count: number }

export type RunStatement = (statement: Statement) => Promise<Rows<object[]>>

/** What may stand in a statement. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | Uint8Array
  | JsonValue
  | readonly Value[]
  | Query<object[]>
  | Columns

/**
 * A statement, or a part of one. It runs when somebody first waits for it, and once; as a part of another it
 * never runs by itself.
 */
export class Query<T extends readonly object[]> implements Promise<Rows<T>> {
  readonly [Symbol.toStringTag] = 'Query'
  readonly #strings: readonly string[]
  readonly #values: readonly Value[]
  readonly #run: RunStatement
  #answer: Promise<Rows<T>> | undefined

  constructor(strings: readonly string[], values: readonly Value[], run: RunStatement) {
    this.#strings = strings
    this.#values = values
    this.#run = run
  }

  write(draft: Draft): void {
    const strings = this.#strings
    draft.text += strings[0]
    for (let i = 0; i < this.#values.length; i++) {
      const value = this.#values[i]
      if (value instanceof Query) value.write(draft)
      else if (value instanceof Columns) value.write(draft, strings[i]!)
      else draft.bind(value)
      draft.text += strings[i + 1]
    }
  }

  #answered(): Promise<Rows<T>> {
    this.#answer ??= this.#send() as Promise<unknown> as Promise<Rows<T>>
    return this.#answer
  }

  #send(): Promise<Rows<object[]>> {
    const draft = new Draft()
    try {
      this.write(draft)
    } catch (error) {
      return Promise.reject(error)
    }
    return this.#run(draft)
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise, of which the first reader makes it run.
  then<A = Rows<T>, B = never>(
    onAnswer?: ((rows: Rows<T>) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answered().then(onAnswer, onError)
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Rows<T> | B> {
    return this.#answered().catch(onError)
  }

  finally(onEnd?: (() => void) | null): Promise<Rows<T>> {
    return this.#answered().finally(onEnd)
  }
}

/** `insert into t ${rows}` and `update t set ${row}`: the columns of objects, and their values. */
export class Columns {
  readonly #rows: readonly Record<string, Value>[]
  readonly #names: readonly string[]

  constructor(rows: readonly Record<string, Value>[], names: readonly string[]) {
    this.#rows = rows
    this.#names = names
    if (rows.length === 0 || names.length === 0) throw new TypeError('no columns to write')
  }

  write(draft: Draft, before: string): void {
    if (/\bset\s*$/i.test(before)) this.#writeAssignments(draft)
    else if (/\binsert\s+into\s+\S+\s*$/i.test(before)) this.#writeRows(draft)
    else throw new TypeError('columns stand behind "insert into …" and "set"')
  }

  #writeAssignments(draft: Draft): void {
    this.#names.forEach((name, i) => {
      draft.text += `${i === 0 ? '' : ', '}${escapeIdentifier(name)} = `
      writeValue(draft, this.#rows[0]![name]!)
    })
  }

  #writeRows(draft: Draft): void {
    draft.text += `(${this.#names.map(escapeIdentifier).join(', ')}) values `
    this.#rows.forEach((row, i) => {
      draft.text += i === 0 ? '(' : ', ('
      this.#names.forEach((name, j) => {
        if (j > 0) draft.text += ', '
        writeValue(draft, row[name]!)
      })
      draft.text += ')'
    })
    // Each number of rows is another statement; few of them come again.
    if (this.#rows.length > 1) draft.named = false
  }
}

function writeValue(draft: Draft, value: Value): void {
  if (value instanceof Query) value.write(draft)
  else draft.bind(value)
}
