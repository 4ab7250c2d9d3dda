import { STATUS_CODES } from 'node:http'
import type { OperationConfig } from '../operation.ts'
import { namedSchemas } from '../schemas.ts'
import { type HeaderName, headersOfAnswer, RESPONSE_HEADERS, usualHeaders } from './response-headers.ts'

interface Media {
  schema: { $ref?: string; examples?: unknown[] }
  example?: unknown
  examples?: Record<string, Reference>
}

interface Reference {
  $ref: string
}

interface DescribedAnswer {
  description: string
  headers?: Record<string, Reference>
  content?: Record<string, Media>
}

interface Operation {
  operationId?: string
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, DescribedAnswer | Reference>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, { examples?: unknown[] }>
    responses?: Record<string, DescribedAnswer>
    headers?: object
    examples?: Record<string, { value: unknown }>
  }
}

/** What operations have in common, and refer to. */
interface Shared {
  refusals: Record<string, DescribedAnswer>
  /** Names of the schemas whose examples are shown. */
  shown: Set<string>
}

/** What is known of an operation beyond its schemas, by method and path as they are described. */
export type ConfigOf = (method: string, path: string) => OperationConfig

/** Where addresses are that begin with something, if it is not where all the others are. */
export interface ServerOfPaths {
  prefix: string
  url: string
}

/** Puts into the description what the schemas of routes do not say. */
export function completeDocument(document: Document, configOf: ConfigOf, servers: ServerOfPaths[]): void {
  const { components, paths } = document
  const shared: Shared = { refusals: {}, shown: new Set() }
  for (const [path, methods] of Object.entries(paths)) {
    // The methods of one route are one object until here.
    for (const [method, operation] of Object.entries(methods))
      methods[method] = completed(structuredClone(operation), method, configOf(method, path), shared)
    const elsewhere = servers.find(({ prefix }) => path.startsWith(`${prefix}/`))
    if (elsewhere) Object.assign(methods, { servers: [{ url: elsewhere.url }] })
  }
  components.headers = RESPONSE_HEADERS
  components.responses = shared.refusals
  components.examples = takeExamples(components.schemas, shared.shown)
}

function completed(operation: Operation, method: string, config: OperationConfig, shared: Shared): Operation {
  if (operation.requestBody) {
    operation.requestBody.required = !config.optionalBody
    for (const media of Object.values(operation.requestBody.content)) showExample(media, shared)
  }
  for (const [code, answer] of Object.entries(operation.responses) as [string, DescribedAnswer][]) {
    const status = Number(code)
    if (answer.description === 'Default Response') answer.description = STATUS_CODES[status]!
    const names = headersOfAnswer(status, config)
    answer.headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
    if (method === 'head') delete answer.content
    else if (status < 400) for (const media of Object.values(answer.content ?? {})) showExample(media, shared)
    else operation.responses[code] = shareRefusal(answer, status, names, shared)
  }
  const operationId = method === 'head' ? (config.headId ?? config.id) : config.id
  return { operationId, ...operation }
}

/** Of a named schema the example that it has among the components, of another its own. */
function showExample(media: Media, { shown }: Shared): void {
  const name = media.schema.$ref?.split('/').at(-1)
  if (name !== undefined) {
    shown.add(name)
    media.examples = { [name]: { $ref: `#/components/examples/${name}` } }
  } else if (media.schema.examples) {
    const { examples, ...schema } = media.schema
    media.schema = schema
    media.example = examples[0]
  }
}

/** One description for all refusals in the same words: `Video not found` is `VideoNotFound`. */
function shareRefusal(
  answer: DescribedAnswer,
  status: number,
  names: HeaderName[],
  { refusals }: Shared,
): DescribedAnswer | Reference {
  const words = answer.description.split(/[^A-Za-z]+/).map((word) => word[0]!.toUpperCase() + word.slice(1))
  // Of the same words, those whose request was counted against a limit where that is not usual, or the other way round.
  const difference = names.length - usualHeaders(status).length
  const name = words.join('') + (difference > 0 ? 'Counted' : difference < 0 ? 'Uncounted' : '')
  const media = answer.content!['application/json']!
  media.example = { code: status, error: answer.description }
  refusals[name] ??= answer
  // Some operations have the same words in other capitals.
  if (refusals[name].description !== answer.description) return answer
  return { $ref: `#/components/responses/${name}` }
}

/** Examples are shown where a schema is sent, and not once more in it. */
function takeExamples(schemas: Document['components']['schemas'], shown: Set<string>) {
  const taken: Record<string, { value: unknown }> = {}
  for (const { $id: name, examples } of namedSchemas()) {
    if (shown.has(name)) taken[name] = { value: examples[0] }
    delete schemas[name]?.examples
  }
  return taken
}
