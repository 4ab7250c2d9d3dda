import fc, { type Arbitrary } from 'fast-check'
import { type Described, type Document, resolve } from '../description.ts'
import { odd, oddText, type Schema, spoiled, valuesOf } from './values.ts'

export interface GeneratedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** Ids of what is there, by the name of the parameter that asks for it. */
export type Known = Record<string, string[]>

/** Requests of one operation: as it describes them, or with one part of them odd. */
export function requestsOf(
  [name, operation]: [string, Described],
  document: Document,
  known: Known,
): Arbitrary<GeneratedRequest> {
  const [method, template] = name.split(' ') as [string, string]
  const values = (schema: object) => valuesOf(schema as Schema, (one) => resolve<Schema>(document, one))
  const parameters = operation.parameters ?? []
  const placed = (place: string) => parameters.filter((one) => one.in === place)

  const textOf = (parameter: (typeof parameters)[number]): Arbitrary<string> => {
    const described = values(parameter.schema).map(textual)
    const there = known[parameter.name]
    const usual = there ? fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...there) }, described) : described
    return fc.oneof({ weight: 8, arbitrary: usual }, oddText)
  }
  const some = (place: string) =>
    fc.record(Object.fromEntries(placed(place).map((one) => [one.name, textOf(one)])), {
      requiredKeys: placed(place)
        .filter(({ required, name }) => required || (place === 'path' && template.includes(`{${name}}`)))
        .map(({ name }) => name),
    })

  return fc
    .record({
      path: some('path'),
      query: some('query'),
      headers: some('header'),
      body: bodiesOf(operation, document, values),
    })
    .map(({ path, query, headers, body }) => {
      const search = new URLSearchParams(query as Record<string, string>).toString()
      return {
        method,
        path: filled(template, path as Record<string, string>) + (search && `?${search}`),
        headers: { ...safe(headers as Record<string, string>), ...body.headers },
        body: body.content,
      }
    })
}

interface Body {
  headers: Record<string, string>
  content?: string | Uint8Array
}

function bodiesOf(
  operation: Described,
  document: Document,
  values: (schema: object) => Arbitrary<unknown>,
): Arbitrary<Body> {
  const described = operation.requestBody
  if (!described) return fc.constant({ headers: {} })
  const json = described.content['application/json']
  if (!json) {
    const types = Object.keys(described.content).map((type) => type.replace('*', 'mp4'))
    return fc.record({
      headers: fc.record({ 'content-type': fc.constantFrom(...types, 'application/json', 'nonsense') }),
      content: fc.uint8Array({ maxLength: 200 }),
    })
  }
  const type = { 'content-type': 'application/json' }
  const valid = values(resolve(document, json.schema))
  const asJson = (arbitrary: Arbitrary<unknown>) =>
    arbitrary.map((body): Body => ({ headers: type, content: JSON.stringify(body) ?? 'null' }))
  return fc.oneof(
    { weight: 5, arbitrary: asJson(valid) },
    { weight: 4, arbitrary: asJson(valid.chain(spoiled)) },
    { weight: 1, arbitrary: asJson(odd) },
    { weight: 1, arbitrary: fc.constantFrom<Body>(...NO_JSON) },
  )
}

const NO_JSON: Body[] = [
  { headers: {} },
  { headers: { 'content-type': 'application/json' } },
  { headers: { 'content-type': 'application/json' }, content: '{"name": "cut o' },
  { headers: { 'content-type': 'application/json' }, content: '\ufeff{}' },
  { headers: { 'content-type': 'application/json' }, content: '['.repeat(5000) },
  { headers: { 'content-type': 'application/json' }, content: '{"a":1,"a":2}' },
  { headers: { 'content-type': 'text/plain' }, content: '{}' },
  { headers: { 'content-type': 'application/x-www-form-urlencoded' }, content: 'a=1' },
]

const textual = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** What a header can carry; the rest never leaves a client. */
function safe(headers: Record<string, string>): Record<string, string> {
  const kept = Object.entries(headers).map(([name, value]) => [
    name,
    value.replaceAll(/[^\x20-\x7e]/g, '').trim(),
  ])
  return Object.fromEntries(kept)
}

/** A part of a path is never empty or dots alone: such an address is another one. */
function filled(template: string, parts: Record<string, string>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = (parts[name] ?? 'none').toWellFormed()
    return /^\.*$/.test(text) ? 'none' : encodeURIComponent(text)
  })
}
