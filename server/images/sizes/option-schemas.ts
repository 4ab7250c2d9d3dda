import { type Static, Type } from 'typebox'
import { PROBLEM_KEYWORD } from '../../http/describe-validation.ts'
import { named } from '../../http/schemas.ts'
import { COMPASS, RESIZE_FORMATS } from '../../media/images/port.ts'

export type SizeFormat = (typeof RESIZE_FORMATS)[number]

const Pixels = Type.Integer({ minimum: 1, maximum: 8192 })
const oneOf = <const V extends string>(values: readonly V[], description?: string) =>
  Type.Unsafe<V>({ type: 'string', enum: [...values], ...(description && { description }) })
const PART = '(?:0(?:\\.\\d{1,4})?|1(?:\\.0{1,4})?)'

/** What can be done to an image, by its address or by a preset of its project. */
export const sizeProperties = {
  w: Type.Optional(Pixels),
  h: Type.Optional(Pixels),
  dpr: Type.Optional(
    Type.Number({
      minimum: 1,
      maximum: 4,
      multipleOf: 0.5,
      description: 'pixels of a screen for each of `w` and `h`',
    }),
  ),
  fit: Type.Optional(
    oneOf(
      ['cover', 'contain', 'fill'],
      'with `w` and `h`: inside of them, filling them, or stretched to them',
    ),
  ),
  gravity: Type.Optional(
    Type.String({
      pattern: `^(?:${COMPASS.join('|')}|smart|${PART},${PART})$`,
      [PROBLEM_KEYWORD]:
        'be a side or a corner such as north or southeast, center, smart, or a point such as 0.5,0.25',
      description:
        'with `fit=cover`, what stays in view: a side or a corner, `center`, `smart` for what draws the eye, or `x,y` from 0 to 1; the image’s focal point, or else its middle, unless told',
      examples: ['smart'],
    }),
  ),
  rotate: Type.Optional(
    Type.Unsafe<0 | 90 | 180 | 270>({ type: 'integer', enum: [0, 90, 180, 270], description: 'clockwise' }),
  ),
  flip: Type.Optional(oneOf(['h', 'v', 'both'], 'left and right, top and bottom, or both; after `rotate`')),
  trim: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'takes away a border of one colour that differs by no more than this; 10 suits most',
    }),
  ),
  blur: Type.Optional(Type.Number({ minimum: 0.3, maximum: 50, description: 'radius in pixels' })),
  sharpen: Type.Optional(Type.Number({ minimum: 0.3, maximum: 5, description: 'radius in pixels' })),
  background: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{6}$',
      [PROBLEM_KEYWORD]: 'be six hexadecimal digits',
      description: 'a colour behind what is transparent, six hexadecimal digits',
      examples: ['ffffff'],
    }),
  ),
  format: Type.Optional(
    oneOf(['auto', ...RESIZE_FORMATS], 'what moves goes on moving in `webp`, `gif` and `auto`'),
  ),
  q: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  lossless: Type.Optional(Type.Boolean({ description: 'in AVIF and WebP' })),
}

export const SizeOptions = named(
  'SizeOptions',
  Type.Object(sizeProperties, { additionalProperties: false }),
  {
    w: 640,
    h: 360,
    fit: 'cover',
    gravity: 'smart',
  },
)
export type SizeOptions = Static<typeof SizeOptions>
