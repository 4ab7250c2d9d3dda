import {
  type ApiDescription,
  type Operation,
  type Schema,
  successOf,
  type TypeStyle,
  typeOf,
} from './schema-types.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
/** Addresses that the service hands out whole, or that are not for apps. */
const NOT_FOR_APPS = /^\/(cdn|sdk|console|upload|metrics|billing\/webhooks)\b/

/** The types that `@marquee/client` is published with: by method and address, what is given and what is answered. */
export function clientTypes({ paths, components }: ApiDescription): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema.description)}  ${name}: ${typeOf(schema, STYLE)}`,
  )
  const methods = METHODS.map((method) => {
    const operations = Object.entries(paths)
      .filter(([path, { [method]: operation }]) => operation && !NOT_FOR_APPS.test(path))
      .map(([path, { [method]: operation }]) => operationOf(path, operation!))
    return `  ${method}: {\n${operations.join('\n')}\n  }`
  })
  return [
    '// Made from docs/openapi.json by `npm run generate`. Not to be changed by hand.\n',
    `/** The shapes of bodies, by their names in the description. */\nexport interface Schemas {\n${schemas.join('\n')}\n}\n`,
    `/** What each operation is given and answers, by method and address. */\nexport interface Operations {\n${methods.join('\n')}\n}\n`,
  ].join('\n')
}

function operationOf(path: string, operation: Operation): string {
  const parts = [
    ...parametersOf(operation, 'path'),
    ...parametersOf(operation, 'query'),
    ...bodyOf(operation),
    `answer: ${answerOf(operation)}`,
  ]
  return `${comment(operation.summary, '    ')}    '${path}': { ${parts.join('; ')} }`
}

/** Without those that are another name for the same. */
function parametersOf({ parameters = [] }: Operation, place: 'path' | 'query'): string[] {
  const own = parameters.filter(({ in: where, schema }) => where === place && !schema['x-same-as'])
  if (own.length === 0) return []
  const properties = Object.fromEntries(own.map(({ name, schema }) => [name, schema]))
  const required = own.filter(({ required }) => required).map(({ name }) => name)
  const type = typeOf({ type: 'object', properties, required }, STYLE)
  return [`${place}${required.length > 0 ? '' : '?'}: ${type}`]
}

function bodyOf({ requestBody }: Operation): string[] {
  if (!requestBody) return []
  const json = requestBody.content['application/json']
  return [`body${requestBody.required ? '' : '?'}: ${json ? typeOf(json.schema, STYLE) : 'FormData'}`]
}

function answerOf(operation: Operation): string {
  const content = successOf(operation)
  if (content['application/json']) return typeOf(content['application/json'].schema, STYLE)
  const types = Object.keys(content)
  if (types.length === 0) return 'undefined'
  return types.every((type) => type.startsWith('text/')) ? 'string' : 'Blob'
}

const STYLE: TypeStyle = {
  list: (item) => (/[ |]/.test(item) ? `(${item})[]` : `${item}[]`),
  field: (name, type, { isRequired, description }) =>
    `${description ? `/** ${inComment(description)} */ ` : ''}${/\W/.test(name) ? `'${name}'` : name}${isRequired ? '' : '?'}: ${type}`,
  separator: '; ',
}

function comment(text: Schema['description'], indent = '  '): string {
  return text ? `${indent}/** ${inComment(text)} */\n` : ''
}

const inComment = (text: string) => text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')
