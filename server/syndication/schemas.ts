import { type Static, Type } from 'typebox'
import { exampleId } from '../base/ids.ts'
import { named } from '../http/schemas.ts'

/** `?loop`, `?loop=1` and `?loop=true` all mean yes. */
const Flag = (description: string) =>
  Type.Optional(Type.String({ enum: ['', '0', '1', 'false', 'true'], description }))

/** What a page may choose of an embedded player. */
export const EmbedQuery = Type.Object({
  autoplay: Flag('begins by itself, without sound where the browser wants that'),
  muted: Flag('begins without sound'),
  loop: Flag('begins again at its end'),
  start: Type.Optional(Type.Number({ minimum: 0, maximum: 1e6, description: 'seconds to begin at' })),
  captions: Type.Optional(
    Type.String({ maxLength: 35, pattern: '^[A-Za-z0-9-]*$', description: 'language of subtitles to show' }),
  ),
  token: Type.Optional(
    Type.String({ maxLength: 4096, pattern: '^[\\w.-]*$', description: 'of a post whose media is private' }),
  ),
})
export type EmbedQuery = Static<typeof EmbedQuery>

const Side = Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 }))

export const OembedQuery = Type.Object({
  url: Type.String({
    maxLength: 6000,
    description: 'of an embedded page, with the options it is to have',
    examples: [`http://localhost:8080/embed/${exampleId('feed')}/${exampleId('post')}`],
  }),
  maxwidth: Side,
  maxheight: Side,
  format: Type.Optional(Type.String({ maxLength: 20, default: 'json', description: '`json` or `xml`' })),
})

/** By oembed.com, 1.0. */
export const Oembed = named(
  'Oembed',
  Type.Object({
    version: Type.Literal('1.0'),
    type: Type.Unsafe<'video' | 'photo'>({ type: 'string', enum: ['video', 'photo'] }),
    title: Type.String(),
    author_name: Type.Optional(Type.String({ description: 'the creator of the post' })),
    provider_name: Type.String(),
    provider_url: Type.String(),
    cache_age: Type.Integer({ description: 'seconds' }),
    thumbnail_url: Type.Optional(Type.String({ description: 'absent where the media is private' })),
    thumbnail_width: Type.Optional(Type.Integer()),
    thumbnail_height: Type.Optional(Type.Integer()),
    width: Type.Integer(),
    height: Type.Integer(),
    html: Type.Optional(Type.String({ description: 'of a video: an iframe' })),
    url: Type.Optional(Type.String({ description: 'of a photo: the picture' })),
  }),
  {
    version: '1.0',
    type: 'photo',
    title: 'The harbour in the morning',
    author_name: 'ada',
    provider_name: 'Marquee',
    provider_url: 'http://localhost:8080',
    cache_age: 3600,
    thumbnail_url: 'http://localhost:8080/cdn/…?w=480&h=270&format=jpg',
    thumbnail_width: 480,
    thumbnail_height: 270,
    width: 640,
    height: 360,
    url: 'http://localhost:8080/cdn/…?w=640&h=360&format=jpg',
  },
)
export type Oembed = Static<typeof Oembed>
