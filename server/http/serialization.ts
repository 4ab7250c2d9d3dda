import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>
type BuildSerializer = NonNullable<NonNullable<SchemaController['compilersFactory']>['buildSerializer']>
type Route = Parameters<ReturnType<typeof factory>>[0]
type Serialize = ReturnType<ReturnType<typeof factory>>

const factory = SerializerSelector()

/** What writes an answer is made when it is first needed: made for all operations at once, it took a fifth of the start. */
export const buildSerializer: BuildSerializer = (schemas, options) => (route) => {
  let serialize: Serialize | undefined
  return (answer) => {
    // By a compiler of its own: one forgets a named schema once it has compiled it, and the order is the callers'.
    serialize ??= factory(
      referredTo(route.schema, schemas as Record<string, unknown>),
      options,
    )(route as Route)
    return serialize(answer)
  }
}

/** Of the named schemas those that one needs: the compiler takes in all that it is given, which takes it most of its time. */
function referredTo(schema: unknown, schemas: Record<string, unknown>): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  const look = (one: unknown) => {
    for (const [, name] of JSON.stringify(one).matchAll(/"\$ref":"(\w+)#"/g))
      if (!Object.hasOwn(found, name!)) {
        found[name!] = schemas[name!]
        look(schemas[name!])
      }
  }
  look(schema)
  return found
}
