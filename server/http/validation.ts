import { Ajv, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import type { App } from './types.ts'

/**
 * Text from the address (path, query, headers) is read as the type the schema wants; a body says its
 * types itself and is taken at its word.
 */
export function useStrictBodies(app: App): void {
  const text = compilerOf({ coerceTypes: true })
  const body = compilerOf({ coerceTypes: false })
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? body : text).compile(schema as object),
  )
}

function compilerOf(options: Options): Ajv {
  const ajv = new Ajv({ useDefaults: true, allErrors: false, strict: true, ...options })
  // A CommonJS module whose default export TypeScript and Node see differently.
  ;(addFormats as unknown as (ajv: Ajv, formats: string[]) => void)(ajv, [
    'date-time',
    'email',
    'hostname',
    'uri',
  ])
  return ajv
}
