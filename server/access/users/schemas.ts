import { type Static, Type } from 'typebox'
import { exampleId } from '../../base/ids.ts'
import { AnsweredId, EXAMPLE_TIME, exampleOf, named, ref, Timestamp } from '../../http/schemas.ts'
import { RoleField } from '../members/schemas.ts'

const UserOrganization = named(
  'UserOrganization',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    role: RoleField,
    permissions: Type.Array(Type.String()),
  }),
  { id: exampleId('organization'), name: 'Harbour Films', role: 'owner', permissions: ['*:*'] },
)

export const CurrentUser = named(
  'CurrentUser',
  Type.Object({
    id: AnsweredId<'user'>(),
    email: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
    organizations: Type.Array(ref(UserOrganization)),
  }),
  {
    id: exampleId('user'),
    email: 'ada@example.com',
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
    organizations: [exampleOf(UserOrganization)],
  },
)
export type CurrentUser = Static<typeof CurrentUser>
