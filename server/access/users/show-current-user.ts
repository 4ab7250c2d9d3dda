import type { Caller } from '../../base/caller.ts'
import { forbidden } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { CurrentUser } from './schemas.ts'
import { findUser, organizationsOfUser } from './store.ts'

export async function showCurrentUser(caller: Caller, sql: Sql): Promise<CurrentUser> {
  if (caller.kind !== 'user') throw forbidden('the token is of an API key, not of a user')
  const user = await findUser(sql, caller.id)
  if (!user) throw forbidden()
  const organizations = await organizationsOfUser(sql, caller.id)
  return {
    ...user,
    organizations: organizations.map((organization) => ({
      ...organization,
      permissions: organization.role === 'owner' ? ['*:*'] : organization.permissions,
    })),
  }
}
