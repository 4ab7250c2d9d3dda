import { Type } from 'typebox'
import { Email, named } from '../../http/schemas.ts'

export const ResetRequest = named('PasswordResetRequest', Type.Object({ email: Email }), {
  email: 'ada@example.com',
})

export const Reset = named(
  'PasswordReset',
  Type.Object({
    token: Type.String({ maxLength: 200, description: 'what follows `#token=` in the link' }),
    password: Type.String({ maxLength: 1000, description: 'at least 10 characters' }),
  }),
  { token: 'works-once', password: 'an even longer password' },
)
