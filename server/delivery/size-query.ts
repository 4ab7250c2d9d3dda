import { type Static, Type } from 'typebox'
import { PresetName, type SizeFormat, sizeProperties } from '../images/index.ts'

/** The sizes and formats that an image's address can ask for; anything else is refused. */
export const SizeQuery = Type.Object(
  {
    ...sizeProperties,
    preset: Type.Optional(
      Type.String({ ...PresetName, description: 'of the project; only `dpr` and `format` go with it' }),
    ),
    signature: Type.Optional(
      Type.String({ maxLength: 100, description: 'where sizes that are no presets have to be signed' }),
    ),
  },
  { additionalProperties: false },
)
export type SizeQuery = Static<typeof SizeQuery>

export const CONTENT_TYPES: Record<SizeFormat, string> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
}

/** From the one that we would choose to the one that we would not. */
const FORMATS = ['avif', 'webp', 'jpg', 'png'] as const
const MOVING_FORMATS = ['webp', 'gif'] as const

/**
 * The format that a client names in `Accept` and likes best; of several that it likes as well, the best. A
 * wildcard says nothing about what it can show, so it counts only where no format is named; then, and
 * without the header, it gets what is kept.
 */
export function preferredFormat(accept: string | undefined, moves = false): SizeFormat {
  const liking = new Map(
    (accept ?? '').split(',').map((range) => {
      const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const q = parameters.find((parameter) => parameter.startsWith('q='))
      return [type!, q === undefined ? 1 : Number(q.slice(2)) || 0]
    }),
  )
  const formats: readonly SizeFormat[] = moves ? MOVING_FORMATS : FORMATS
  const likingOf = (format: SizeFormat) => liking.get(CONTENT_TYPES[format]) ?? 0
  const best = Math.max(...formats.map(likingOf))
  return best > 0 ? formats.find((format) => likingOf(format) === best)! : formats[0]!
}
