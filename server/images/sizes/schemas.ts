import { type Static, Type } from 'typebox'
import { PROBLEM_KEYWORD } from '../../http/describe-validation.ts'
import { EXAMPLE_TIME, exampleOf, named, Pagination, ref, Timestamp } from '../../http/schemas.ts'
import { SizeOptions } from './option-schemas.ts'

export const PresetName = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
  [PROBLEM_KEYWORD]: 'be 1 to 63 small letters, digits, _ and -',
  examples: ['card'],
})

export const Preset = named(
  'ImagePreset',
  Type.Object({
    name: Type.String({ description: 'what addresses ask for it by: `?preset=name`' }),
    options: ref(SizeOptions),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  { name: 'card', options: exampleOf(SizeOptions), created_at: EXAMPLE_TIME, updated_at: EXAMPLE_TIME },
)
export type Preset = Static<typeof Preset>

export const PresetList = named(
  'ImagePresetList',
  Type.Object({ data: Type.Array(ref(Preset)), pagination: ref(Pagination) }),
  { data: [exampleOf(Preset)], pagination: exampleOf(Pagination) },
)

export const SigningSecret = named(
  'ImageSigningSecret',
  Type.Object({ secret: Type.String(), created_at: Timestamp }),
  { secret: 'what-only-your-server-knows', created_at: EXAMPLE_TIME },
)
export type SigningSecret = Static<typeof SigningSecret>
