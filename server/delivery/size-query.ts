import { type Static, Type } from 'typebox'
import type { RESIZE_FORMATS } from '../media/images/port.ts'

export type SizeFormat = (typeof RESIZE_FORMATS)[number]

const Pixels = Type.Integer({ minimum: 1, maximum: 8192 })

/** The sizes and formats that an image's address can ask for; anything else is refused. */
export const SizeQuery = Type.Object(
  {
    w: Type.Optional(Pixels),
    h: Type.Optional(Pixels),
    fit: Type.Optional(Type.Unsafe<'cover' | 'contain'>({ type: 'string', enum: ['cover', 'contain'] })),
    format: Type.Optional(
      Type.Unsafe<SizeFormat | 'auto'>({ type: 'string', enum: ['auto', 'avif', 'webp', 'jpg', 'png'] }),
    ),
    q: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  { additionalProperties: false },
)
export type SizeQuery = Static<typeof SizeQuery>

export const CONTENT_TYPES: Record<SizeFormat, string> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
}

/** From the one that we would choose to the one that we would not. */
const FORMATS = ['avif', 'webp', 'jpg', 'png'] as const

/**
 * The format that a client names in `Accept` and likes best; of several that it likes as well, the best. A
 * wildcard says nothing about what it can show, so it counts only where no format is named; then, and
 * without the header, it gets what is kept.
 */
export function preferredFormat(accept: string | undefined): SizeFormat {
  const liking = new Map(
    (accept ?? '').split(',').map((range) => {
      const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const q = parameters.find((parameter) => parameter.startsWith('q='))
      return [type!, q === undefined ? 1 : Number(q.slice(2)) || 0]
    }),
  )
  const likingOf = (format: SizeFormat) => liking.get(CONTENT_TYPES[format]) ?? 0
  const best = Math.max(...FORMATS.map(likingOf))
  return best > 0 ? FORMATS.find((format) => likingOf(format) === best)! : 'avif'
}
