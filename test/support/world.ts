import { createOrganization } from '../../server/access/organizations/organizations.ts'
import { createUser } from '../../server/access/users/users.ts'
import { OPERATOR, type Plan } from '../../server/base/caller.ts'
import type { OrganizationId } from '../../server/base/ids.ts'
import { type Api, bearer, key } from './api.ts'
import type { InProcess } from './in-process.ts'

export interface Tenant {
  orgId: OrganizationId
  projectId: string
  owner: Api
  ownerToken: string
  secretKey: string
  secretKeyId: string
  publishableKey: string
}

/** A second organization with everything that the first start made for the first. */
export async function addTenant(service: InProcess, name: string, plan: Plan = 'custom'): Promise<Tenant> {
  const { sql } = service
  const { id: orgId } = await createOrganization(OPERATOR, { name, plan }, sql)
  const email = `owner@${name}.example`
  await createUser(OPERATOR, { email, password: 'a long enough one', orgId, role: 'owner' }, sql)
  const ownerToken = await service.tokenFor(email)
  const owner = service.api.as(bearer(ownerToken))
  const project = await owner.post(`/organizations/${orgId}/projects/v1`, { name: `${name} project` })
  const made = await Promise.all(
    ['sk', 'pk'].map((kind) =>
      owner.post(`/organizations/${orgId}/api-keys/v1`, { name: kind, kind, project_id: project.body.id }),
    ),
  )
  return {
    orgId,
    projectId: project.body.id,
    owner,
    ownerToken,
    secretKey: made[0]!.body.api_key.secret,
    secretKeyId: made[0]!.body.api_key.id,
    publishableKey: made[1]!.body.api_key.secret,
  }
}

/** A member of an organization with these permissions, by a policy where there are any. */
export async function addMember(service: InProcess, tenant: Tenant, email: string, permissions: string[]) {
  const user = await createUser(
    OPERATOR,
    { email, password: 'a long enough one', orgId: tenant.orgId, role: 'member' },
    service.sql,
  )
  const token = await service.tokenFor(email)
  if (permissions.length > 0) {
    const base = `/auth/v1/memberships/${tenant.orgId}/policies`
    const policy = await tenant.owner.post(base, { name: `of ${email}`, permissions })
    await tenant.owner.post(`${base}/${policy.body.id}/attachments`, {
      identity_type: 'POLICY_IDENTITY_TYPE_USER',
      identity_id: user.id,
    })
  }
  return { id: user.id, token, api: service.api.as(bearer(token)) }
}

/** A secret key that may do only what these permissions say. */
export async function addRestrictedKey(tenant: Tenant, permissions: string[]) {
  const made = await tenant.owner.post(`/organizations/${tenant.orgId}/api-keys/v1`, {
    name: 'restricted',
    project_id: tenant.projectId,
  })
  const base = `/auth/v1/memberships/${tenant.orgId}/policies`
  const policy = await tenant.owner.post(base, { name: `of ${made.body.api_key.id}`, permissions })
  const attachment = await tenant.owner.post(`${base}/${policy.body.id}/attachments`, {
    identity_type: 'POLICY_IDENTITY_TYPE_API_KEY',
    identity_id: made.body.api_key.id,
  })
  return {
    id: made.body.api_key.id as string,
    policyId: policy.body.id as string,
    attachmentId: attachment.body.id as string,
    secret: made.body.api_key.secret as string,
    api: tenant.owner.as(key(made.body.api_key.secret)),
  }
}
