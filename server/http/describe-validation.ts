import type { FastifyError } from 'fastify'
import { nearest } from '../base/nearest.ts'

/** Beside a pattern: what a value that does not fit must be, in words. */
export const PROBLEM_KEYWORD = 'x-must'

const MAX_SHOWN = 100

interface ValidationProblem {
  keyword: string
  instancePath: string
  message?: string
  params: Record<string, unknown>
  parentSchema: {
    minimum?: number
    maximum?: number
    properties?: Record<string, object>
    additionalProperties?: unknown
    [PROBLEM_KEYWORD]?: string
  }
  data: unknown
}

/** What messages call a part of a request. */
export function partName(part: string | undefined): string {
  return part === 'querystring' ? 'query' : (part ?? 'request')
}

/** `body.name: must be string`, for the first thing that does not fit. */
export function describeValidation(error: FastifyError): string | undefined {
  const part = partName(error.validationContext)
  const problems = (error.validation ?? []) as unknown as ValidationProblem[]
  // Of several shapes, the one that the request comes nearest to: where it has the constant that tells them apart.
  const first = problems.find(({ keyword }) => keyword !== 'const') ?? problems[0]
  if (!first) return undefined
  const isChoice = first.keyword === 'anyOf' || first.keyword === 'oneOf'
  return isChoice && problems[0] !== first
    ? `${part}${placeOf(problems[0]!)}: ${oneOf(constantsOf(problems))}`
    : describe(first, part)
}

function describe(problem: ValidationProblem, part: string): string {
  const place = part + placeOf(problem)
  const unknown = unknownName(problem)
  if (unknown !== undefined) {
    const known = nearest(unknown, Object.keys(problem.parentSchema.properties!))
    return `${place}.${unknown}: is not known; did you mean "${known}"?`
  }
  if (problem.keyword === 'required') return `${place}.${problem.params.missingProperty}: is required`
  return `${place}: ${wordsFor(problem)}`
}

function placeOf({ instancePath }: ValidationProblem): string {
  return instancePath
    .slice(0, 2 * MAX_SHOWN)
    .replaceAll('/', '.')
    .replace(/\.(\d+)(?=\.|$)/g, '[$1]')
}

/** A name that a strict object does not have. Also where one is missing: that is what it may have been meant for. */
function unknownName({ keyword, parentSchema, data }: ValidationProblem): string | undefined {
  if (keyword !== 'additionalProperties' && keyword !== 'required') return undefined
  const { additionalProperties, properties = {} } = parentSchema
  if (additionalProperties !== false || Object.keys(properties).length === 0) return undefined
  return Object.keys(data as object)
    .find((name) => !Object.hasOwn(properties, name))
    ?.slice(0, MAX_SHOWN)
}

function wordsFor({ keyword, params, parentSchema, message }: ValidationProblem): string {
  if (keyword === 'enum') return oneOf(params.allowedValues as unknown[])
  if (keyword === 'const') return oneOf([params.allowedValue])
  if (keyword === 'pattern')
    return parentSchema[PROBLEM_KEYWORD] ? `must ${parentSchema[PROBLEM_KEYWORD]}` : 'is malformed'
  if (keyword === 'minimum' || keyword === 'maximum') return boundsOf(parentSchema) ?? message!
  return message ?? 'is malformed'
}

function oneOf(values: unknown[]): string {
  return `must be one of ${values.join(', ')}`
}

function constantsOf(problems: ValidationProblem[]): unknown[] {
  const { instancePath } = problems[0]!
  return problems
    .filter((problem) => problem.keyword === 'const' && problem.instancePath === instancePath)
    .map(({ params }) => params.allowedValue)
}

function boundsOf({ minimum, maximum }: ValidationProblem['parentSchema']): string | undefined {
  if (minimum === undefined || maximum === undefined) return undefined
  // As far as numbers go is no bound that anybody set.
  return maximum < Number.MAX_SAFE_INTEGER
    ? `must be between ${minimum} and ${maximum}`
    : `must be at least ${minimum}`
}
