import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Described, Document } from '../description.ts'

export interface GivenAnswer {
  status: number
  contentType: string | null
  text: string
}

/** Says what is wrong with an answer by the description of its operation; nothing where it is as described. */
export function answerChecker(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ;(formats as unknown as (ajv: Ajv2020) => void)(ajv)
  ajv.addSchema({ ...document, $id: 'description' } as object)
  const compiled = new Map<string, ValidateFunction>()

  function bodyChecker(schema: object): ValidateFunction {
    // References in it are to the description that it stands in.
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"description#/')
    let check = compiled.get(text)
    if (!check) {
      check = ajv.compile(JSON.parse(text))
      compiled.set(text, check)
    }
    return check
  }

  return (operation: Described, method: string, answer: GivenAnswer): string | undefined => {
    const { status, contentType, text } = answer
    if (status >= 500 && status !== 501) return `${status} ${text}`
    const described = operation.responses[status]
    if (!described) return `${status} is not described: ${text}`
    if (method === 'HEAD' || text === '') return undefined
    const types = described.content ?? {}
    const type = contentType?.split(';')[0] ?? ''
    const media = types[type] ?? types[type.replace(/\/.*/, '/*')]
    if (!media) return `${status} comes as ${contentType}, described are ${Object.keys(types)}`
    if (!type.endsWith('json') || !media.schema) return undefined
    const check = bodyChecker(media.schema)
    return check(JSON.parse(text)) ? undefined : `${status} ${ajv.errorsText(check.errors)}: ${text}`
  }
}
