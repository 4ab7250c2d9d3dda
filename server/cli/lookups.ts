import {
  findKeyById,
  findOrganizationOfProject,
  listOrganizations,
  type ProjectScope,
} from '../access/index.ts'
import { OPERATOR } from '../base/caller.ts'
import { StartupError } from '../base/errors.ts'
import { isId, type KeyId, type OrganizationId } from '../base/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'

/** The organization that was named, or the only one. */
export async function theOrganization(sql: Sql, named: string | undefined): Promise<OrganizationId> {
  const known = await listOrganizations(OPERATOR, sql)
  if (named) {
    const found = known.find((organization) => organization.id === named)
    if (found) return found.id
    throw noOrganization(named)
  }
  if (known.length === 1) return known[0]!.id
  throw new StartupError(
    'there are several organizations: name one with --org. See: npm run marquee -- organizations list',
  )
}

/** The organization that tells accounts of one address apart, where one was named. */
export function organizationNamed(given: string | undefined): OrganizationId | undefined {
  if (given === undefined || isId('organization', given)) return given
  throw noOrganization(given)
}

function noOrganization(named: string): StartupError {
  return new StartupError(`there is no organization ${named}. See: npm run marquee -- organizations list`)
}

export async function theProject(sql: Sql, projectId: string): Promise<ProjectScope> {
  const orgId = isId('project', projectId) && (await findOrganizationOfProject(OPERATOR, projectId, sql))
  if (isId('project', projectId) && orgId) return { orgId, projectId }
  throw new StartupError(`there is no project ${projectId}. See: npm run marquee -- projects list`)
}

export async function theKey(sql: Sql, keyId: string): Promise<{ orgId: OrganizationId; keyId: KeyId }> {
  const key = isId('key', keyId) && (await findKeyById(OPERATOR, keyId, sql))
  if (isId('key', keyId) && key) return { orgId: key.org_id, keyId }
  throw new StartupError(`there is no key ${keyId}. See: npm run marquee -- keys list`)
}
