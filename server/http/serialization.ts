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
    serialize ??= factory(schemas, options)(route as Route)
    return serialize(answer)
  }
}
