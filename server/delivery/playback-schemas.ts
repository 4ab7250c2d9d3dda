import { type Static, Type } from 'typebox'
import { EXAMPLE_TIME, named, Timestamp } from '../http/schemas.ts'

/** Of every address of delivery. */
export const TokenQuery = Type.Object({
  token: Type.Optional(
    Type.String({ description: 'for private media; of what everybody may see, it is not looked at' }),
  ),
})

const WEEK = 7 * 86400

/** Bodies that open an image or all of a project. */
export const NewToken = named(
  'NewToken',
  Type.Object({
    ttl: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: WEEK,
        default: 3600,
        description:
          'seconds for which it opens; a film that begins before goes on as long as its token does',
      }),
    ),
    viewer: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[^\\x00]*$',
        description: 'the app’s own name for whoever watches; carried in the token',
      }),
    ),
    origins: Type.Optional(
      Type.Array(Type.String({ maxLength: 300, pattern: '^https?://[^/?#\\s]+$' }), {
        minItems: 1,
        maxItems: 20,
        description: 'of pages that may show it, `https://app.example.com`; without it, all',
        examples: [['https://app.example.com']],
      }),
    ),
  }),
  { ttl: 3600, viewer: 'ada' },
)
export type NewToken = Static<typeof NewToken>

export const NewPlaybackToken = named(
  'NewPlaybackToken',
  Type.Object({
    ...NewToken.properties,
    max_height: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 8192,
        description:
          'lines of the largest rendition that it opens, 720 for 720p; the smallest is always open',
      }),
    ),
  }),
  { ttl: 3600, viewer: 'ada', max_height: 720 },
)
export type NewPlaybackToken = Static<typeof NewPlaybackToken>

export const PlaybackToken = named(
  'PlaybackToken',
  Type.Object({
    token: Type.String({ description: 'a JSON Web Token, for `?token=` of every address of the media' }),
    expires_at: Timestamp,
  }),
  { token: 'eyJhbGciOiJFZERTQSJ9.a-token.signed', expires_at: EXAMPLE_TIME },
)
export type PlaybackToken = Static<typeof PlaybackToken>
