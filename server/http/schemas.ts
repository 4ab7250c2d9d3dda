import { type Static, type TSchema, Type } from 'typebox'
import { type IdKind, idPattern } from '../base/ids.ts'

/** A schema that the OpenAPI description lists under its own name; `named` registers what it refers to. */
export function named<T extends TSchema>(name: string, schema: T): T & { $id: string } {
  return { ...schema, $id: name }
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
)

export const Pagination = named(
  'Pagination',
  Type.Object({
    limit: Type.Integer({ description: 'maximum items per request' }),
    offset: Type.Integer({ description: 'starting point of the result set' }),
    total: Type.Integer({ description: 'total available items' }),
  }),
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
export function Id(kind: IdKind) {
  return Type.String({ pattern: idPattern(kind) })
}

export const Timestamp = Type.String({ format: 'date-time' })

/** A name people gave something: some text, no control characters. */
export const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\x00-\\x1f\\x7f]*$' })

/** Longer text that people wrote. NUL is the one character PostgreSQL cannot keep. */
export const Prose = Type.String({ maxLength: 5000, pattern: '^[^\\x00]*$' })

export const Email = Type.String({ format: 'email', maxLength: 254 })
