import { expect, test } from 'vitest'
import { description, type JsonSchema, nameless, resolve } from './description.ts'
import { OPERATIONS } from './operations.ts'

const LIST_PARAMETERS = ['limit', 'offset', 'pagination.limit', 'pagination.offset']
/** Reports have no pages. */
const NO_LISTS = ['GET /analytics/v1/']

/** An array, or an object of which one is all there is beside what says where it is in the whole. */
function isList({ type, properties = {} }: JsonSchema): boolean {
  if (type === 'array') return true
  const names = Object.keys(properties).filter((name) => name !== 'pagination' && name !== 'total')
  return names.length > 0 && names.every((name) => properties[name]!.type === 'array')
}

test('every operation of the interface is described', async () => {
  const { body, operations } = await description()
  expect(body.openapi).toBe('3.1.0')
  const described = new Set([...operations.keys()].map(nameless))
  const missing = OPERATIONS.filter((operation) => !described.has(nameless(operation)))
  expect(missing).toEqual([])
})

test('each is described with its request, answers and errors', async () => {
  const { body, operations } = await description()
  expect(body.components.schemas.Error!.properties).toMatchObject({ code: {}, error: {}, details: {} })
  for (const [name, operation] of operations) {
    expect(operation.summary, name).toBeTruthy()
    const statuses = Object.keys(operation.responses)
    // What people open in a browser leads on.
    expect(
      statuses.some((status) => status.startsWith('2') || status === '302'),
      name,
    ).toBe(true)
    for (const status of statuses.filter((s) => s >= '400')) {
      const { description, content } = operation.responses[status]!
      expect(description, `${name} ${status}`).toBeTruthy()
      // An answer to HEAD has no body, whatever it says.
      if (name.startsWith('HEAD ')) expect(content, name).toBeUndefined()
      else
        expect(content!['application/json']!.schema.$ref, `${name} ${status}`).toBe(
          '#/components/schemas/Error',
        )
    }
    // Metrics are the operator’s, and are not counted.
    if ((operation.security?.length ?? 0) > 0 && name !== 'GET /metrics')
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
    expect.objectContaining({ name: 'pagination.limit', description: 'the same as `limit`' }),
    expect.objectContaining({ name: 'pagination.offset', description: 'the same as `offset`' }),
    expect.objectContaining({ name: 'sort', schema: { type: 'string', enum: ['created_at'] } }),
    expect.objectContaining({ name: 'order', schema: { type: 'string', enum: ['desc'] } }),
  ])
})

test('every list takes a limit and an offset', async () => {
  const { body, operations } = await description()
  const without: string[] = []
  for (const [name, { parameters = [], responses }] of operations) {
    const schema = responses['200']?.content?.['application/json']?.schema
    if (!name.startsWith('GET ') || !schema || NO_LISTS.some((prefix) => name.startsWith(prefix))) continue
    if (!isList(resolve(body, schema))) continue
    const names = parameters.map((parameter) => parameter.name)
    if (!LIST_PARAMETERS.every((wanted) => names.includes(wanted))) without.push(name)
  }
  expect(without).toEqual([])
})

test('what is not JSON says so, and what may be left out, may be', async () => {
  const { operations } = await description()
  const typesOf = (name: string, status = '200') =>
    Object.keys(operations.get(name)!.responses[status]!.content ?? {})
  const delivered = ['GET /videos/{videoId}/thumbnail', 'GET /cdn/{projectId}/{fileId}']
  for (const name of [
    ...delivered,
    'GET /cdn/{projectId}/{fileId}/{path}',
    'GET /videos/{videoId}/storyboard.vtt',
  ])
    expect(typesOf(name), name).not.toContain('application/json')
  for (const status of ['200', '206'])
    for (const name of delivered) expect(typesOf(name, status), name).toContain('image/avif')
  expect(typesOf('GET /videos/{videoId}/storyboard.vtt')).toEqual(['text/vtt'])
  expect(typesOf('GET /videos/{videoId}/progress')).toEqual(['application/json', 'text/event-stream'])

  const { parameters, requestBody } = operations.get('PUT /upload/{fileId}')!
  expect(requestBody!.content['application/octet-stream']!.schema).toMatchObject({ format: 'binary' })
  const inQuery = parameters!.filter((parameter) => parameter.in === 'query')
  expect(inQuery.map(({ name, required }) => [name, required])).toEqual(
    ['kind', 'max', 'expires', 'signature'].map((name) => [name, true]),
  )
  const events = operations.get('POST /analytics/v1/events')!.requestBody!
  expect(Object.keys(events.content)).toEqual(['application/json', 'text/plain'])
  const optional = [...operations].filter(([, { requestBody }]) => requestBody?.required === false)
  expect(optional.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'POST /organizations/{org_id}/api-keys/v1/{key_id}/rotate',
      'POST /analytics/v1/retention',
    ]),
  )
})
