/** A value as it is sent. */
export type Bound = string | Buffer | null

/** What is sent to the server at once. */
export interface Statement {
  text: string
  values: Bound[]
  /** Whether it is prepared under a name, so that a connection has it parsed once. */
  named: boolean
}

// As many as the protocol can count.
const MOST_VALUES = 65_535

/** Writes a statement piece by piece. */
export class Draft implements Statement {
  text = ''
  values: Bound[] = []
  named = true

  bind(value: unknown): void {
    if (this.values.length === MOST_VALUES)
      throw new RangeError(`a statement takes at most ${MOST_VALUES} values`)
    this.text += `$${this.values.push(boundOf(value))}${castOf(value)}`
  }
}

/** Text that is sent as JSON. */
export class JsonValue {
  readonly text: string

  constructor(value: unknown) {
    const text = JSON.stringify(value)
    if (text === undefined) throw new TypeError('JSON has no such value')
    this.text = text
  }
}

/** A type where the value has one; all others the server takes from where they stand. */
function castOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return ''
  if (typeof value === 'boolean') return '::boolean'
  if (value instanceof JsonValue) return '::jsonb'
  if (value instanceof Date) return '::timestamptz'
  return value instanceof Uint8Array ? '::bytea' : ''
}

function boundOf(value: unknown): Bound {
  if (typeof value === 'string' || value === null) return value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value)
  if (value instanceof JsonValue) return value.text
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return value
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (Array.isArray(value)) return arrayText(value)
  throw new TypeError(
    value === undefined
      ? 'undefined in a statement: say null where nothing is meant'
      : 'an object in a statement: say json() where JSON is meant',
  )
}

function arrayText(values: unknown[]): string {
  return `{${values.map(elementText).join(',')}}`
}

function elementText(value: unknown): string {
  if (Array.isArray(value)) return arrayText(value)
  if (value === null) return 'NULL'
  const bound = boundOf(value)
  const text = Buffer.isBuffer(bound) ? `\\x${bound.toString('hex')}` : bound!
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
