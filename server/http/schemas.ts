import { type Static, type TSchema, Type } from 'typebox'
import { exampleId, type IdKind, type Id as IdOf, idPattern } from '../base/ids.ts'
import { PROBLEM_KEYWORD } from './describe-validation.ts'

interface Naming {
  $id: string
  /** Just one: what the description shows of an operation that takes or answers it. */
  examples: unknown[]
}

const byName = new Map<string, TSchema & Naming>()

/** A schema that the OpenAPI description lists under its own name. Whatever refers to it finds it by that name. */
export function named<T extends TSchema>(name: string, schema: T, example: Static<T>): T & Naming {
  if (byName.has(name)) throw new Error(`two schemas are named ${name}`)
  const made = { ...schema, $id: name, examples: [example] }
  byName.set(name, made)
  return made
}

/** All that were named, for what resolves references. */
export function namedSchemas(): (TSchema & Naming)[] {
  return [...byName.values()]
}

/** The example of a named schema, to build that of another with. */
export function exampleOf<T extends TSchema & Naming>(schema: T): Static<T> {
  return schema.examples[0] as Static<T>
}

/** Refers to a named schema without repeating it. */
export function ref<T extends TSchema & { $id: string }>(schema: T) {
  return Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` })
}

export const ErrorBody = named(
  'Error',
  Type.Object({
    code: Type.Integer({ description: 'HTTP status code' }),
    error: Type.String({ description: 'message' }),
    details: Type.Optional(Type.String()),
  }),
  { code: 404, error: 'Not Found' },
)

export const Pagination = named(
  'Pagination',
  Type.Object({
    limit: Type.Integer({ description: 'maximum items per request' }),
    offset: Type.Integer({ description: 'starting point of the result set' }),
    total: Type.Integer({ description: 'total available items' }),
    total_is_minimum: Type.Optional(
      Type.Boolean({
        description:
          'true where a search finds more than 5,000: `total` is counted so far, or as far as this page shows',
      }),
    ),
  }),
  { limit: 25, offset: 0, total: 1 },
)

/** Of a list that can be scrolled through without an end. */
export const CursorPagination = named(
  'CursorPagination',
  Type.Object({
    ...Pagination.properties,
    next_cursor: Type.Optional(Type.String({ description: 'absent on the last page' })),
  }),
  { limit: 1, offset: 0, total: 2, next_cursor: 'where-the-next-page-begins' },
)

/** An answer that is no JSON but a file, of one of these types. */
export function bytesOf(description: string, types: readonly string[]) {
  const schema = { type: 'string', format: 'binary' }
  return contentOf<string>(description, Object.fromEntries(types.map((type) => [type, schema])))
}

/** An answer in one of several media types, each with its own schema. */
export function contentOf<T>(description: string, schemas: Record<string, TSchema>) {
  const content = Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }]))
  return Type.Unsafe<T>({ description, content })
}

/** An identifier in a path or a body; a malformed one is a 400. */
export function Id<Kind extends IdKind>(kind: Kind) {
  return Type.Unsafe<IdOf<Kind>>(Type.String({ pattern: idPattern(kind), examples: [exampleId(kind)] }))
}

const MOST_IDS = 100

/** Identifiers in a query, separated by commas: nothing else is asked for than these. */
export function Ids(...kinds: IdKind[]) {
  const one = `(?:${kinds.map((kind) => idPattern(kind).slice(1, -1)).join('|')})`
  return Type.String({
    pattern: `^${one}(?:,${one}){0,${MOST_IDS - 1}}$`,
    [PROBLEM_KEYWORD]: `be 1 to ${MOST_IDS} ids, separated by commas`,
    description: `only these: up to ${MOST_IDS}, separated by commas`,
    examples: [exampleId(kinds[0]!)],
  })
}

/** An identifier in an answer: those are ours, and nobody checks them again. */
export function AnsweredId<Kind extends IdKind>() {
  return Type.Unsafe<IdOf<Kind>>(Type.String())
}

export const Timestamp = Type.String({ format: 'date-time' })
export const EXAMPLE_TIME = '2026-05-04T09:30:00.000Z'
export const EXAMPLE_UPLOAD_URL = `http://localhost:8080/upload/${exampleId('file')}?kind=video&max=10737418240&expires=1777890600&signature=signed`

/** A name people gave something: some text, no control characters. */
export const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\x00-\\x1f\\x7f]*$' })

/** Longer text that people wrote. NUL is the one character PostgreSQL cannot keep. */
export const Prose = Type.String({ maxLength: 5000, pattern: '^[^\\x00]*$' })

/** The same where it can be taken away again: by null, as by nothing at all. */
export const ClearableProse = Type.Unsafe<string | null>({ ...Prose, type: ['string', 'null'] })

export const Email = Type.String({ format: 'email', maxLength: 254 })
