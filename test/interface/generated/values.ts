import fc, { type Arbitrary } from 'fast-check'

/** As much of a JSON Schema as the description uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minimum?: number
  maximum?: number
  multipleOf?: number
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
}

const DEEPEST = 6
const TIMES = {
  min: new Date('2000-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
}

/** Values that a schema allows. What no schema says, such as that one time is before another, they may still break. */
export function valuesOf(schema: Schema, resolve: (schema: Schema) => Schema, depth = 0): Arbitrary<unknown> {
  const found = schema.$ref ? resolve(schema) : schema
  const within = (part: Schema) => valuesOf(part, resolve, depth + 1)
  if (found.const !== undefined) return fc.constant(found.const)
  if (found.enum) return fc.constantFrom(...found.enum)
  if (found.anyOf) return fc.oneof(...found.anyOf.map(within))
  const type = Array.isArray(found.type) ? found.type[0] : found.type
  switch (type) {
    case 'object':
      return objectsOf(found, depth < DEEPEST ? within : () => fc.constant(null))
    case 'array':
      return arraysOf(found, within)
    case 'string':
      return textsOf(found)
    case 'integer':
    case 'number':
      return numbersOf(found, type)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function objectsOf(schema: Schema, within: (part: Schema) => Arbitrary<unknown>): Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties: others } = schema
  const named = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, within(part)])),
    { requiredKeys: required },
  )
  if (typeof others !== 'object') return named
  const more = fc.dictionary(fc.stringMatching(/^[a-z_]{1,12}$/), within(others), { maxKeys: 3 })
  return fc.tuple(more, named).map(([some, rest]) => ({ ...some, ...rest }))
}

function arraysOf(schema: Schema, within: (part: Schema) => Arbitrary<unknown>): Arbitrary<unknown> {
  const { items = {}, minItems: minLength = 0, maxItems = 4, uniqueItems } = schema
  const bounds = { minLength, maxLength: Math.max(minLength, Math.min(maxItems, 4)) }
  return uniqueItems ? fc.uniqueArray(within(items), bounds) : fc.array(within(items), bounds)
}

function textsOf({ format, pattern, minLength = 0, maxLength = 60 }: Schema): Arbitrary<string> {
  const fits = (text: string) => [...text].length >= minLength && [...text].length <= maxLength
  if (pattern) return fc.stringMatching(new RegExp(pattern, 'u')).filter(fits)
  switch (format) {
    case 'date-time':
      return fc.date(TIMES).map((date) => date.toISOString())
    case 'date':
      return fc.date(TIMES).map((date) => date.toISOString().slice(0, 10))
    case 'email':
      return fc.emailAddress()
    case 'uri':
      return fc.webUrl()
    default:
      return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 60) }).filter(fits)
  }
}

function numbersOf({ minimum, maximum, multipleOf }: Schema, type: string): Arbitrary<number> {
  const [min, max] = [minimum ?? -1000, Math.min(maximum ?? 1e6, Number.MAX_SAFE_INTEGER)]
  if (type === 'integer' || multipleOf === 1) return fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
  return fc
    .double({ min, max, noNaN: true })
    .map((value) => (multipleOf ? Math.round(value / multipleOf) * multipleOf : value))
}

/** What comes from those who try, and from programs that are wrong. */
const ODD: unknown[] = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '💥',
  'x'.repeat(300),
  '9'.repeat(400),
  'null',
  'NaN',
  '__proto__',
  "' or 1=1 --",
  '%00',
  '%',
  '../../etc/passwd',
  '0000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '2026-02-30',
  'Infinity',
  'javascript:alert(1)',
  'http://[::1',
  -1,
  0,
  1.5,
  -0.1,
  1e308,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  null,
  true,
  false,
  [],
  {},
  [[]],
  { constructor: { prototype: {} } },
]

export const odd: Arbitrary<unknown> = fc.constantFrom(...ODD)
export const oddText: Arbitrary<string> = odd.map((value) =>
  typeof value === 'string' ? value : JSON.stringify(value),
)

/** A value with one thing in it that is odd, missing or too much. */
export function spoiled(value: unknown): Arbitrary<unknown> {
  if (Array.isArray(value)) {
    const ways = value.map((part, i) => spoiled(part).map((other) => value.with(i, other)))
    return fc.oneof(odd, fc.constant([...value, ...value, null]), ...ways)
  }
  if (typeof value !== 'object' || value === null) return odd
  const ways = Object.entries(value).flatMap(([name, part]) => {
    const { [name]: _, ...rest } = value as Record<string, unknown>
    return [fc.constant(rest), spoiled(part).map((other) => ({ ...value, [name]: other }))]
  })
  return fc.oneof(
    odd,
    odd.map((other) => ({ ...value, nobody_knows: other })),
    ...ways,
  )
}
