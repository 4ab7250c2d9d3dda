/** The part of JSON Schema that the description uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  'x-same-as'?: string
}

export interface Operation {
  summary: string
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** What the generators of types read of the description. */
export interface ApiDescription {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** How the types of an audience are written. */
export interface TypeStyle {
  list(item: string): string
  /** A field with its type, as it is declared. */
  field(name: string, type: string, about: { isRequired: boolean; description?: string }): string
  /** Between the fields of an object. */
  separator: string
}

/** What succeeds: of several statuses the first; nothing where people are led on. */
export function successOf({ responses }: Operation) {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  return success?.content ?? {}
}

/** A schema as the text of a TypeScript type. */
export function typeOf(schema: Schema, style: TypeStyle): string {
  const { $ref, type, enum: values, anyOf, items, properties, additionalProperties } = schema
  if ($ref) return `Schemas['${$ref.split('/').at(-1)}']`
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (anyOf) return anyOf.map((one) => typeOf(one, style)).join(' | ')
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one }, style)).join(' | ')
  if (type === 'array') return style.list(typeOf(items!, style))
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' || type === 'boolean' || type === 'null') return type
  const fields = Object.entries(properties ?? {}).map(([name, field]) =>
    style.field(name, typeOf(field, style), {
      isRequired: schema.required?.includes(name) ?? false,
      description: field.description,
    }),
  )
  if (fields.length > 0) return `{ ${fields.join(style.separator)} }`
  return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, style) : 'unknown'}>`
}
