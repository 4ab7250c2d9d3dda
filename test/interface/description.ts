import { composeForTest } from '../support/in-process.ts'

export interface JsonSchema {
  $ref?: string
  type?: string
  format?: string
  properties?: Record<string, JsonSchema>
}

export interface Media {
  schema: JsonSchema
  example?: unknown
  examples?: Record<string, { $ref: string }>
}

interface Answer {
  description: string
  headers?: Record<string, { $ref: string }>
  content?: Record<string, Media>
}

export interface Described {
  operationId: string
  summary?: string
  security?: Record<string, string[]>[]
  parameters?: {
    name: string
    in: string
    required?: boolean
    description?: string
    example?: unknown
    schema: object
  }[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Answer>
}

export interface Document {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Record<string, Described>>
  components: {
    schemas: Record<string, JsonSchema>
    headers: Record<string, { required: boolean }>
    examples: Record<string, { value: unknown }>
  }
}

/** What a reference in the description is about. */
export function resolve<T extends object>(body: Document, found: T | { $ref?: string }): T {
  const { $ref } = found as { $ref?: string }
  if ($ref === undefined) return found as T
  return $ref
    .split('/')
    .slice(1)
    .reduce(
      (part, name) => part[name] as Record<string, unknown>,
      body as never as Record<string, unknown>,
    ) as T
}

export async function describedBy(service: Awaited<ReturnType<typeof composeForTest>>) {
  const { body } = await service.api.as({}).get<Document>('/openapi.json')
  const operations = new Map<string, Described>()
  for (const [url, { servers: _, ...methods }] of Object.entries(body.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const responses = Object.fromEntries(
        Object.entries(operation.responses).map(([status, answer]) => [
          status,
          resolve<Answer>(body, answer),
        ]),
      )
      operations.set(`${method.toUpperCase()} ${url}`, { ...operation, responses })
    }
  return { body, operations }
}

let asked: ReturnType<typeof describedBy> | undefined

/** The description as the service answers it, with each answer in its place. Asked for once. */
export function description(): ReturnType<typeof describedBy> {
  asked ??= composeForTest().then(describedBy)
  return asked
}

/** Two spellings of one address differ in the names of their parameters only. */
export const nameless = (operation: string) => operation.replaceAll(/\{[^}]+\}|:\w+|\*/g, '{}')
