import { Ajv, type Options, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { timeOf } from '../base/rfc3339.ts'
import { PROBLEM_KEYWORD, partName } from './describe-validation.ts'
import { namedSchemas } from './schemas.ts'
import { SYNONYM_KEYWORDS, synonymsOf } from './synonyms.ts'
import type { App } from './types.ts'

/**
 * Text from the address (path, query, headers) is read as the type the schema wants; a body says its
 * types itself and is taken at its word.
 */
export function useStrictBodies(app: App): void {
  const text = compilerOf({ coerceTypes: true })
  const body = compilerOf({ coerceTypes: false })
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const ajv = httpPart === 'body' ? body : text
    const rename = synonymsOf(schema as object, partName(httpPart))
    // Compiled when it is first asked: all of them together would be half of what a start takes.
    let check: ValidateFunction | undefined
    return (given: unknown) => {
      const refusal = rename?.(given)
      if (refusal) return { error: refusal }
      check ??= ajv.compile(schema as object)
      // Read as the number that it names, which passes for one: only then it is seen that it is none to reckon with.
      const isValid = check(given) && (!hasInfinity(given) || check(given))
      return isValid || { error: check.errors ?? [] }
    }
  })
}

/** Of text alone: JSON has none, and what is too large for a number is refused in a body by the schema. */
const hasInfinity = (given: unknown): boolean =>
  Object.values(given ?? {})
    .flat()
    .some((value) => value === Infinity || value === -Infinity)

function compilerOf(options: Options): Ajv {
  // Verbose, so that a message can say what would have been right: the schema is beside what it refused.
  const ajv = new Ajv({ useDefaults: true, allErrors: false, strict: true, verbose: true, ...options })
  ajv.addVocabulary([...SYNONYM_KEYWORDS, PROBLEM_KEYWORD])
  // A CommonJS module whose default export TypeScript and Node see differently.
  ;(addFormats as unknown as (ajv: Ajv, formats: string[]) => void)(ajv, ['email', 'hostname', 'uri'])
  ajv.addFormat('date-time', (text) => !Number.isNaN(timeOf(text)))
  // Bodies refer to parts of theirs by name. Each is compiled, and then checked, by the first that does.
  for (const schema of namedSchemas()) ajv.addSchema(schema, undefined, false, false)
  return ajv
}
