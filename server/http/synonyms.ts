import { type Static, type TSchema, Type } from 'typebox'
import { badRequest, type Refusal } from '../base/errors.ts'

/** Of a field: the one beside it that it is another name for. Of a value: what each of its other names stands for. */
export const SYNONYM_KEYWORDS = ['x-same-as', 'x-synonyms']

type Property = { 'x-same-as'?: string; 'x-synonyms'?: Record<string, string> }

/** Another name for a field beside it: clients that were generated from this interface send it. */
export function sameAs<T extends TSchema>(name: string, schema: T) {
  return Type.Optional(
    Type.Unsafe<Static<T>>({
      ...schema,
      default: undefined,
      'x-same-as': name,
      description: `the same as \`${name}\``,
    }),
  )
}

/** One of these values, also by other names for them. */
export function choiceOf<V extends string>(values: readonly V[], synonyms: Record<string, V>) {
  return Type.Unsafe<V>({
    type: 'string',
    enum: [...values, ...Object.keys(synonyms)],
    'x-synonyms': synonyms,
    description: Object.entries(synonyms)
      .map(([name, value]) => `\`${name}\` is the same as \`${value}\``)
      .join(', '),
  })
}

/**
 * What gives the fields of a request, and their values, the names that handlers know, before defaults are filled
 * in. Answers a refusal where two names of one field say different things; undefined where a schema has none.
 */
export function synonymsOf(
  schema: object,
  part: string,
): ((given: unknown) => Refusal | undefined) | undefined {
  const { properties = {} } = schema as { properties?: Record<string, Property> }
  const names = Object.entries(properties).flatMap(([alias, { 'x-same-as': name }]) =>
    name === undefined ? [] : [[alias, name] as const],
  )
  const values = Object.entries(properties).flatMap(([name, { 'x-synonyms': meanings }]) =>
    meanings === undefined ? [] : [[name, new Map(Object.entries(meanings))] as const],
  )
  if (names.length + values.length === 0) return undefined

  return (given) => {
    if (typeof given !== 'object' || given === null) return undefined
    const fields = given as Record<string, unknown>
    for (const [alias, name] of names) {
      if (!Object.hasOwn(fields, alias)) continue
      if (Object.hasOwn(fields, name) && fields[name] !== fields[alias])
        return badRequest(`${part}.${alias}: is another name for ${name}, which says something else`)
      fields[name] = fields[alias]
      delete fields[alias]
    }
    for (const [name, meanings] of values) {
      const meant = Object.hasOwn(fields, name) ? meanings.get(fields[name] as string) : undefined
      if (meant !== undefined) fields[name] = meant
    }
    return undefined
  }
}
