import { type Static, Type } from 'typebox'
import { Email, Id, named } from '../../http/schemas.ts'

export const Tokens = named(
  'Tokens',
  Type.Object({
    access_token: Type.String(),
    refresh_token: Type.String({ description: 'Works once; its use gives a new one.' }),
    token_type: Type.String({ enum: ['Bearer'] }),
    expires_in: Type.Integer({ description: 'Seconds the access token works' }),
  }),
)
export type Tokens = Static<typeof Tokens>

export const Login = Type.Object({
  email: Email,
  password: Type.String({ maxLength: 1000 }),
  org_id: Type.Optional(
    Type.Unsafe<string>({
      ...Id('organization'),
      description:
        'Which account is meant, where an address has one in several organizations with the same password.',
    }),
  ),
})
export const Refresh = Type.Object({ refresh_token: Type.String({ maxLength: 4000 }) })
export const KeyExchange = Type.Object({ api_key: Type.String({ maxLength: 200 }) })
