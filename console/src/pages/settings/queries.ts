import type { Client, Schemas } from '@marquee/client'
import { queryOptions } from '@tanstack/react-query'

export type ApiKey = Schemas['ApiKey']
export type SigningKey = Schemas['SigningKey']
export type Member = Schemas['Member']
export type Invitation = Schemas['Invitation']
export type Webhook = Schemas['Webhook']
export type Policy = Schemas['Policy']
export type ProjectSettings = Schemas['Project']

interface Asked {
  client: Client
  orgId: string
}

const PAGE = 100

/** Every item of a list that is asked for by limit and offset. */
async function allOf<Item>(
  ask: (query: { limit: number; offset: number }) => Promise<Item[]>,
): Promise<Item[]> {
  const found: Item[] = []
  while (true) {
    const page = await ask({ limit: PAGE, offset: found.length })
    found.push(...page)
    if (page.length < PAGE) return found
  }
}

/** The projects of the organization with what they are set to. */
export const projectSettingsQuery = ({ client, orgId }: Asked) =>
  queryOptions({
    // Whatever makes the list of projects out of date does so with this one.
    queryKey: ['projects', orgId],
    queryFn: ({ signal }): Promise<ProjectSettings[]> =>
      allOf(async (query) => {
        const path = { orgId }
        return (await client.get('/organization/{orgId}/projects', { path, query, signal })).projects
      }),
  })

export const keysQuery = ({ client, orgId }: Asked) =>
  queryOptions({
    queryKey: ['keys', orgId],
    queryFn: ({ signal }): Promise<ApiKey[]> =>
      allOf(async (query) => {
        const path = { org_id: orgId }
        return (await client.get('/organizations/{org_id}/api-keys/v1', { path, query, signal })).api_keys
      }),
  })

export const signingKeysQuery = ({ client, orgId }: Asked) =>
  queryOptions({
    queryKey: ['signing-keys', orgId],
    queryFn: ({ signal }): Promise<SigningKey[]> =>
      allOf(async (query) => {
        const path = { org_id: orgId }
        return (await client.get('/organizations/{org_id}/signing-keys/v1', { path, query, signal })).data
      }),
  })

export const webhooksQuery = ({ client, orgId }: Asked) =>
  queryOptions({
    queryKey: ['webhooks', orgId],
    queryFn: ({ signal }): Promise<Webhook[]> =>
      allOf(async (query) => {
        const path = { org_id: orgId }
        return (await client.get('/organizations/{org_id}/webhooks/v1', { path, query, signal })).data
      }),
  })

export const membersQuery = ({ client, orgId }: Asked) =>
  queryOptions({
    queryKey: ['members', orgId],
    queryFn: ({ signal }): Promise<Member[]> =>
      allOf(async (query) => {
        const path = { org_id: orgId }
        return (await client.get('/auth/v1/memberships/{org_id}/members', { path, query, signal })).members
      }),
  })

export const invitationsQuery = ({ client, orgId }: Asked) =>
  queryOptions({
    queryKey: ['invitations', orgId],
    queryFn: ({ signal }): Promise<Invitation[]> =>
      allOf(async (query) => {
        const request = { path: { org_id: orgId }, query, signal }
        return (await client.get('/auth/v1/memberships/{org_id}/invitations', request)).invitations
      }),
  })

export const policiesQuery = ({ client, orgId }: Asked) =>
  queryOptions({
    queryKey: ['policies', orgId],
    queryFn: ({ signal }): Promise<Policy[]> =>
      allOf(async (query) => {
        const request = { path: { org_id: orgId }, query, signal }
        return (await client.get('/auth/v1/memberships/{org_id}/policies', request)).policies
      }),
  })

export const permissionsQuery = ({ client }: Pick<Asked, 'client'>) =>
  queryOptions({
    queryKey: ['permissions'],
    staleTime: Infinity,
    queryFn: ({ signal }): Promise<string[]> =>
      allOf(async (query) => {
        const { permissions } = await client.get('/auth/v1/policies/permissions', { query, signal })
        return permissions.map(({ name }) => name)
      }),
  })

export const attachmentsQuery = ({ client, orgId }: Asked, policyId: string) =>
  queryOptions({
    queryKey: ['attachments', orgId, policyId],
    queryFn: ({ signal }): Promise<Schemas['PolicyAttachment'][]> =>
      allOf(async (query) => {
        const request = { path: { org_id: orgId, policy_id: policyId }, query, signal }
        const address = '/auth/v1/memberships/{org_id}/policies/{policy_id}/attachments'
        return (await client.get(address, request)).attachments
      }),
  })
