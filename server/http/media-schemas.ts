import { Type } from 'typebox'
import { badRequest } from '../base/errors.ts'
import {
  type Metadata,
  VISIBILITIES,
  type Visibility as VisibilityName,
  WANTED_STATUSES,
} from '../base/media.ts'

/** Who may see media. */
export const Visibility = Type.Unsafe<VisibilityName>({
  type: 'string',
  enum: [...VISIBILITIES],
  description:
    '`public`; `unlisted`: delivered, but in no RSS feed, and search engines are asked to pass it by; `private`: delivered to those who show a token',
})

/** Of a record. */
export const AnsweredVisibility = Type.Unsafe<VisibilityName>({
  ...Visibility,
  description: 'absent where nobody has set it, which is the same as `public`',
})

const MOST_KEYS = 50
const MOST_LETTERS = { key: 100, value: 1000 }

/** What an app keeps about its media. NUL is the one character PostgreSQL cannot keep. */
const METADATA = {
  type: 'object',
  maxProperties: MOST_KEYS,
  propertyNames: { type: 'string', minLength: 1, maxLength: MOST_LETTERS.key, pattern: '^[^\\x00]*$' },
  additionalProperties: { type: 'string', maxLength: MOST_LETTERS.value, pattern: '^[^\\x00]*$' },
}

export const AnsweredMetadata = Type.Unsafe<Metadata>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'what the app keeps about it, as it was sent; absent where there is nothing',
})

/** In a change: all of it at once. Null, or nothing in it, takes it away. */
export const MetadataChange = Type.Unsafe<Metadata | null>({
  ...METADATA,
  type: ['object', 'null'],
  description: `all of it, in place of what there was: at most ${MOST_KEYS} keys, each with text; null takes it away`,
})

export const mediaFilterProperties = {
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '^[^\\x00-\\x1f\\x7f]*$',
      description: 'part of a name, a description or an id, as it is, in upper or lower case',
    }),
  ),
  visibility: Type.Optional(
    Type.String({ enum: [...VISIBILITIES], description: '`public`: also what nobody has set' }),
  ),
  status: Type.Optional(
    Type.String({
      enum: [...WANTED_STATUSES],
      description:
        '`ready` and `error` as records have it; of what is `ready`, `processing`: videos of which a part is still to be made, `complete`: the others, and images',
    }),
  ),
}

export const METADATA_QUERY =
  'A query of `metadata.` and a key, such as `metadata.episode=3`, leaves what has that text under that key; several leave what has all of them.'

const PREFIX = 'metadata.'
const MOST_WANTED = 10

/** What a query asks of metadata, one key in each of its names; undefined where it asks nothing. */
export function metadataIn(query: object): Metadata | undefined {
  const given = Object.entries(query).filter(([name]) => name.startsWith(PREFIX))
  if (given.length === 0) return undefined
  if (given.length > MOST_WANTED)
    throw badRequest(`query.metadata: at most ${MOST_WANTED} keys are asked for`)
  return Object.fromEntries(
    given.map(([name, value]) => {
      const key = name.slice(PREFIX.length)
      if (typeof value !== 'string') throw badRequest(`query.${name}: is given several times`)
      if (/\0/.test(key + value) || key === '') throw badRequest(`query.${name}: is malformed`)
      return [key.toWellFormed(), value.toWellFormed()]
    }),
  )
}
