import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { root } from '../support/service.ts'
import { OPERATIONS } from './operations.ts'

/** Two spellings of one address differ in the names of their parameters only. */
const nameless = (operation: string) => operation.replaceAll(/\{[^}]+\}/g, '{}')

interface Described {
  summary?: string
  security?: object[]
  parameters?: { name: string; in: string; required?: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: { $ref?: string } }> }>
}

async function description() {
  const { api } = await composeForTest()
  const { body } = await api.as({}).get('/openapi.json')
  const operations = new Map<string, Described>()
  for (const [url, methods] of Object.entries<Record<string, Described>>(body.paths))
    for (const [method, operation] of Object.entries(methods))
      operations.set(`${method.toUpperCase()} ${url}`, operation)
  return { body, operations }
}

test('every operation of the interface is described', async () => {
  const { body, operations } = await description()
  expect(body.openapi).toBe('3.1.0')
  const described = new Set([...operations.keys()].map(nameless))
  const missing = OPERATIONS.filter((operation) => !described.has(nameless(operation)))
  expect(missing).toEqual([])
})

test('the list of operations is the interface’s own', () => {
  const file = path.join(root, '../shared/interface.md')
  if (!existsSync(file)) return
  const rows = [...readFileSync(file, 'utf8').matchAll(/^\| `(GET|POST|PUT|PATCH|DELETE) (\S+)`/gm)]
  const stated = rows.map(([, method, url]) =>
    nameless(`${method} ${url!.replace('/payments', '/{provider}')}`),
  )
  // Error rows repeat addresses of the operation rows.
  expect([...new Set(stated)].sort()).toEqual([...new Set(OPERATIONS.map(nameless))].sort())
})

test('each is described with its request, answers and errors', async () => {
  const { body, operations } = await description()
  expect(body.components.schemas.Error.properties).toMatchObject({ code: {}, error: {}, details: {} })
  for (const [name, operation] of operations) {
    expect(operation.summary, name).toBeTruthy()
    const statuses = Object.keys(operation.responses)
    expect(
      statuses.some((status) => status.startsWith('2')),
      name,
    ).toBe(true)
    for (const status of statuses.filter((s) => s >= '400')) {
      const { description, content } = operation.responses[status]!
      expect(description, `${name} ${status}`).toBeTruthy()
      expect(content!['application/json']!.schema.$ref, `${name} ${status}`).toBe(
        '#/components/schemas/Error',
      )
    }
    if ((operation.security?.length ?? 0) > 0)
      expect(statuses, name).toEqual(expect.arrayContaining(['401', '403', '429']))
    const inPath = [...name.matchAll(/\{([\w*]+)\}/g)].map((match) => match[1])
    const declared = (operation.parameters ?? []).filter((p) => p.in === 'path').map((p) => p.name)
    expect(declared.sort(), name).toEqual(inPath.sort())
    if (/^(POST|PUT|PATCH) .*(login|invite|policies|token)$/.test(name))
      expect(operation.requestBody!.content['application/json']!.schema, name).toBeTruthy()
  }
})

test('query defaults and bounds of lists are in the description', async () => {
  const { operations } = await description()
  const list = operations.get('GET /organizations/{org_id}/api-keys/v1')!
  expect(list.parameters!.filter((p) => p.in === 'query')).toEqual([
    expect.objectContaining({
      name: 'limit',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
    }),
    expect.objectContaining({ name: 'offset', required: false }),
  ])
})
