import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { PUBLIC, TABLE } from '../attacks/credentials-table.ts'
import { composeForTest } from '../support/in-process.ts'
import {
  type Described,
  type Document,
  describedBy,
  description,
  type Media,
  nameless,
} from './description.ts'

/** What is sent and answered, apart from refusals: each body by its media type. */
function bodiesOf({ requestBody, responses }: Described): [type: string, media: Media][] {
  const answers = Object.entries(responses).filter(([status]) => status < '400')
  const contents = [requestBody?.content, ...answers.map(([, { content }]) => content)]
  return contents.flatMap((content) => Object.entries(content ?? {}))
}

/** Says what does not fit a schema of the description. */
function checkerOf(body: Document) {
  const ajv = new Ajv2020({ strict: false })
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  for (const format of ['binary', 'int32', 'double']) ajv.addFormat(format, true)
  ajv.addSchema(body, 'openapi', undefined, false)
  return (schema: object, value: unknown) => {
    const inside = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'))
    const fits = ajv.validate(inside, value)
    return fits ? '' : ajv.errorsText()
  }
}

test('each operation has an id of its own, a verb and a noun', async () => {
  const { operations } = await description()
  const ids = [...operations.values()].map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+){1,3}$/)
  expect(ids).toEqual(expect.arrayContaining(['rotateKey', 'listVideos', 'completeVideo']))
})

test('each address is described once, and its parts have names', async () => {
  const { body } = await description()
  const templates = Object.keys(body.paths)
  expect(new Set(templates.map(nameless)).size).toBe(templates.length)
  for (const template of templates) expect(template).toMatch(/^(\/[\w.-]+|\/\{\w+\})+$/)
})

test('each body is a schema that has a name', async () => {
  const { operations } = await description()
  for (const [name, operation] of operations)
    for (const [type, { schema }] of bodiesOf(operation)) {
      const label = `${name} ${type}`
      if (schema.type === 'string') expect(type, label).not.toMatch(/json|multipart/)
      else expect(schema, label).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\/\w+$/) })
    }
})

test('no schema has a nameless object inside', async () => {
  const { body } = await description()
  const found: string[] = []
  const look = (part: unknown, place: string): void => {
    if (typeof part !== 'object' || part === null) return
    if (place.includes('.') && 'properties' in part && !place.endsWith('.properties')) found.push(place)
    for (const [name, inner] of Object.entries(part)) look(inner, `${place}.${name}`)
  }
  for (const [name, schema] of Object.entries(body.components.schemas)) look(schema, name)
  expect(found).toEqual([])
})

test('each body has an example that fits it', async () => {
  const { body, operations } = await description()
  const check = checkerOf(body)
  let shown = 0
  for (const [name, operation] of operations)
    for (const [type, { schema, example, examples }] of bodiesOf(operation)) {
      if (schema.format === 'binary') continue
      const named = Object.values(examples ?? {}).map(({ $ref }) => $ref.split('/').at(-1)!)
      const values = named.map((one) => body.components.examples[one]!.value)
      if (example !== undefined) values.push(example)
      expect(values, `${name} ${type}`).toHaveLength(1)
      expect(check(schema, values[0]), `${name} ${type}`).toBe('')
      shown++
    }
  expect(shown).toBeGreaterThan(120)
})

test('each part of a path has an example that fits it, each refusal one in its own words', async () => {
  const { body, operations } = await description()
  const check = checkerOf(body)
  for (const [name, { parameters = [], responses }] of operations) {
    for (const parameter of parameters.filter((one) => one.in === 'path')) {
      expect(parameter.example, `${name} ${parameter.name}`).toBeDefined()
      expect(check(parameter.schema, parameter.example), `${name} ${parameter.name}`).toBe('')
    }
    for (const [status, { description: words, content }] of Object.entries(responses))
      if (status >= '400' && content)
        expect(content['application/json']!.example, name).toEqual({ code: Number(status), error: words })
  }
})

test('each operation says which credentials it takes', async () => {
  const { operations } = await description()
  const expected = new Map<string, string[]>()
  for (const operation of PUBLIC) expected.set(nameless(operation), [])
  for (const [operation, { secretKey }] of Object.entries(TABLE))
    expected.set(nameless(operation), secretKey === 401 ? ['bearer'] : ['apiKey', 'bearer'])
  // For pages that can set no header; and where the token is set, or who is on the machine, is not for a client to say.
  expected.set('POST /analytics/v1/events', ['apiKey', 'bearer', 'keyInQuery'])
  expected.set('GET /metrics', ['metricsToken', ''])
  for (const [name, { security }] of operations) {
    const schemes = security!.map((one) => Object.keys(one).join())
    expect(schemes, name).toEqual(expected.get(nameless(name.replace('HEAD ', 'GET '))) ?? [])
  }
})

test('the description says where the service is, and where files are', async () => {
  const together = await composeForTest()
  const { port } = new URL(together.url)
  const { body } = await describedBy(together)
  expect(body.servers).toEqual([{ url: `http://localhost:${port}`, description: 'this installation' }])
  expect(Object.values(body.paths).filter((methods) => 'servers' in methods)).toEqual([])

  const apart = await composeForTest({ env: { MARQUEE_CDN_URL: 'https://cdn.example.com/media' } })
  const { paths } = (await describedBy(apart)).body
  expect(paths['/media/{projectId}/{fileId}']).toMatchObject({
    servers: [{ url: 'https://cdn.example.com' }],
  })
  expect(paths['/upload/{fileId}']).not.toHaveProperty('servers')
})
