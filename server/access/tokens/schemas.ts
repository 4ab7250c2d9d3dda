import { type Static, Type } from 'typebox'
import type { OrganizationId } from '../../base/ids.ts'
import { exampleId } from '../../base/ids.ts'
import { AnsweredId, Email, EXAMPLE_TIME, exampleOf, Id, named, ref, Timestamp } from '../../http/schemas.ts'

/** Of a browser, which has the rest in a cookie. */
export const AccessToken = named(
  'AccessToken',
  Type.Object({
    access_token: Type.String(),
    token_type: Type.Unsafe<'Bearer'>({ type: 'string', enum: ['Bearer'] }),
    expires_in: Type.Integer({ description: 'Seconds it works' }),
  }),
  {
    access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c2VyIn0.c2lnbmF0dXJl',
    token_type: 'Bearer',
    expires_in: 900,
  },
)
export type AccessToken = Static<typeof AccessToken>

export const Tokens = named(
  'Tokens',
  Type.Object({
    ...AccessToken.properties,
    refresh_token: Type.String({ description: 'Works once; its use gives a new one.' }),
  }),
  { ...exampleOf(AccessToken), refresh_token: 'works-once' },
)
export type Tokens = Static<typeof Tokens>

export const Session = named(
  'Session',
  Type.Object({
    id: AnsweredId<'session'>(),
    user_agent: Type.String({ description: 'the browser, as it calls itself; empty for others' }),
    created_at: Timestamp,
    last_used_at: Timestamp,
    current: Type.Boolean({ description: 'whether it is the one that asks' }),
  }),
  {
    id: exampleId('session'),
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
    created_at: EXAMPLE_TIME,
    last_used_at: EXAMPLE_TIME,
    current: true,
  },
)
export type Session = Static<typeof Session>

export const SessionList = named('SessionList', Type.Object({ sessions: Type.Array(ref(Session)) }), {
  sessions: [exampleOf(Session)],
})

export const OneSession = Type.Object({ session_id: Id('session') })

export const PasswordChange = named(
  'PasswordChange',
  Type.Object({
    current_password: Type.String({ maxLength: 1000 }),
    new_password: Type.String({ maxLength: 1000, description: 'at least 10 characters' }),
  }),
  { current_password: 'a long enough password', new_password: 'an even longer password' },
)

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

export const LinkSignIn = named(
  'LinkSignIn',
  Type.Object({ link: Type.String({ maxLength: 200, description: 'what follows `#link=` in its address' }) }),
  { link: 'works-once' },
)

const OpenIdChoice = named('OpenIdChoice', Type.Object({ id: Type.String(), name: Type.String() }), {
  id: 'default',
  name: 'id.example.com',
})

export const SignInOptions = named(
  'SignInOptions',
  Type.Object({
    mail: Type.Boolean({
      description: 'whether mail is set up: else links for a new password come from an operator',
    }),
    openid: Type.Array(ref(OpenIdChoice), {
      description: 'issuers that people can sign in with, at `/auth/v1/browser/openid/{id}`',
    }),
    ever_signed_in: Type.Boolean({
      description: 'false until somebody has signed in here: the link that the service prints is waiting',
    }),
  }),
  { mail: true, openid: [exampleOf(OpenIdChoice)], ever_signed_in: true },
)
export type SignInOptions = Static<typeof SignInOptions>

export const Refresh = named(
  'TokenRefresh',
  Type.Object({ refresh_token: Type.String({ maxLength: 4000 }) }),
  { refresh_token: 'works-once' },
)

export const KeyExchange = named('KeyExchange', Type.Object({ api_key: Type.String({ maxLength: 200 }) }), {
  api_key: 'mq_sk_01k9z3v5q8c7m2x4n6b1d0f3gh_a-secret',
})
