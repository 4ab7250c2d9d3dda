/** So many that all the statements of the service have one; whatever comes after them is parsed each time. */
const MOST_NAMES = 1000

/** Names for prepared statements, the same on every connection. */
export class StatementNames {
  readonly #names = new Map<string, string>()
  #given = 0

  of(text: string): string | undefined {
    return this.#names.get(text) ?? (this.#names.size < MOST_NAMES ? this.#give(text) : undefined)
  }

  /** After a change of the schema: what was prepared under the old name has a plan that is none any more. */
  renew(text: string, old: string): void {
    if (this.#names.get(text) === old) this.#give(text)
  }

  #give(text: string): string {
    const name = `s${++this.#given}`
    this.#names.set(text, name)
    return name
  }
}
