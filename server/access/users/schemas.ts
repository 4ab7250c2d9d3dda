import { type Static, Type } from 'typebox'
import { named, Timestamp } from '../../http/schemas.ts'
import { RoleField } from '../members/schemas.ts'

export const CurrentUser = named(
  'CurrentUser',
  Type.Object({
    id: Type.String(),
    email: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
    organizations: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        role: RoleField,
        permissions: Type.Array(Type.String()),
      }),
    ),
  }),
)
export type CurrentUser = Static<typeof CurrentUser>
