import { type Static, Type } from 'typebox'
import type { OrganizationId } from '../../base/ids.ts'
import { Email, Id, named } from '../../http/schemas.ts'

export const Tokens = named(
  'Tokens',
  Type.Object({
    access_token: Type.String(),
    refresh_token: Type.String({ description: 'Works once; its use gives a new one.' }),
    token_type: Type.String({ enum: ['Bearer'] }),
    expires_in: Type.Integer({ description: 'Seconds the access token works' }),
  }),
  {
    access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c2VyIn0.c2lnbmF0dXJl',
    refresh_token: 'works-once',
    token_type: 'Bearer',
    expires_in: 3600,
  },
)
export type Tokens = Static<typeof Tokens>

export const Login = named(
  'Login',
  Type.Object({
    email: Email,
    password: Type.String({ maxLength: 1000 }),
    org_id: Type.Optional(
      Type.Unsafe<OrganizationId>({
        ...Id('organization'),
        description:
          'Which account is meant, where an address has one in several organizations with the same password.',
      }),
    ),
  }),
  { email: 'ada@example.com', password: 'a long enough password' },
)

export const Refresh = named(
  'TokenRefresh',
  Type.Object({ refresh_token: Type.String({ maxLength: 4000 }) }),
  { refresh_token: 'works-once' },
)

export const KeyExchange = named('KeyExchange', Type.Object({ api_key: Type.String({ maxLength: 200 }) }), {
  api_key: 'mq_sk_01k9z3v5q8c7m2x4n6b1d0f3gh_a-secret',
})
