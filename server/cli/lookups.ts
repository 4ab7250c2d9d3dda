import { findKeyById } from '../access/keys/find-key.ts'
import { listOrganizations } from '../access/organizations/list-organizations.ts'
import { findOrganizationOfProject } from '../access/projects/find-organization.ts'
import { OPERATOR } from '../base/caller.ts'
import { StartupError } from '../base/errors.ts'
import type { Sql } from '../platform/postgres/client.ts'

/** The organization that was named, or the only one. */
export async function theOrganization(sql: Sql, named: string | undefined): Promise<string> {
  const known = await listOrganizations(OPERATOR, sql)
  if (named) {
    if (known.some((organization) => organization.id === named)) return named
    throw new StartupError(`there is no organization ${named}. See: npm run marquee -- organizations list`)
  }
  if (known.length === 1) return known[0]!.id
  throw new StartupError(
    'there are several organizations: name one with --org. See: npm run marquee -- organizations list',
  )
}

export async function organizationOfProject(sql: Sql, projectId: string): Promise<string> {
  const orgId = await findOrganizationOfProject(OPERATOR, projectId, sql)
  if (!orgId)
    throw new StartupError(`there is no project ${projectId}. See: npm run marquee -- projects list`)
  return orgId
}

export async function organizationOfKey(sql: Sql, keyId: string): Promise<string> {
  const key = await findKeyById(OPERATOR, keyId, sql)
  if (!key) throw new StartupError(`there is no key ${keyId}. See: npm run marquee -- keys list`)
  return key.org_id
}
