import { type ApiDescription, type Operation, successOf, type TypeStyle, typeOf } from './schema-types.ts'

/** Addresses by their parts: a tree in which the type of a concrete address is found in as many steps as it has parts. */
interface Node {
  methods: Record<string, string>
  parts: Record<string, Node>
}

const HEADER = `// Made from docs/openapi.json by \`npm run generate\`. Not to be changed by hand.

/** A list whose first items can be looked at without asking first whether they are there: a test fails if not. */
type List<T> = T[] & Record<0 | 1 | 2 | 3, T>
`

/** The types that the tests' own client speaks. All fields are there: one that is missing fails the test that reads it. */
export function apiTypes({ paths, components }: ApiDescription): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `  ${name}: ${typeOf(schema, STYLE)}`,
  )
  const root: Node = { methods: {}, parts: {} }
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.responses) place(root, path, method, answerOf(operation))
  return [
    HEADER,
    `export interface Schemas {\n${schemas.join('\n')}\n}\n`,
    `/** What addresses answer where they succeed: by part, \`{}\` for one that is given, then by method. */`,
    `export interface Answers ${written(root, '')}\n`,
  ].join('\n')
}

function place(root: Node, path: string, method: string, answer: string): void {
  let node = root
  for (const part of path.slice(1).split('/')) {
    const name = part.startsWith('{') ? '{}' : part
    node.parts[name] ??= { methods: {}, parts: {} }
    node = node.parts[name]
  }
  node.methods[method] = answer
}

function written({ methods, parts }: Node, indent: string): string {
  const deeper = `${indent}  `
  const lines = [
    ...Object.entries(methods).map(([method, answer]) => `${deeper}'${method}()': ${answer}`),
    ...Object.entries(parts).map(([part, node]) => `${deeper}'${part}': ${written(node, deeper)}`),
  ]
  return `{\n${lines.join('\n')}\n${indent}}`
}

/** JSON where there is any; all else is text to the client, and nothing is an empty one. */
function answerOf(operation: Operation): string {
  const json = successOf(operation)['application/json']
  return json ? typeOf(json.schema, STYLE) : 'string'
}

const STYLE: TypeStyle = {
  list: (item) => `List<${item}>`,
  field: (name, type) => `${name}: ${type}`,
  separator: '; ',
}
