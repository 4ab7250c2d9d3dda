import { Type } from 'typebox'
import { PROBLEM_KEYWORD } from '../../http/describe-validation.ts'
import { named } from '../../http/schemas.ts'

/** Where a file is to be fetched from. */
export const ImportUrl = Type.String({
  maxLength: 2048,
  format: 'uri',
  pattern: '^[hH][tT][tT][pP][sS]?://[^\\s\\x00-\\x1f]+$',
  [PROBLEM_KEYWORD]: 'be an http or https address',
  description: 'http or https, of a server that everybody can reach',
})

export const ImportProgress = named(
  'ImportProgress',
  Type.Object({
    received: Type.Integer({ description: 'bytes that would survive a crash' }),
    size: Type.Optional(Type.Integer({ description: 'bytes of the whole file, where its server says so' })),
  }),
  { received: 1048576, size: 18874368 },
)
