import { useQueries } from '@tanstack/react-query'
import {
  invitationsQuery,
  keysQuery,
  membersQuery,
  policiesQuery,
  signingKeysQuery,
  webhooksQuery,
} from '../../pages/settings/queries.ts'
import { useOrganization } from '../../pages/settings/use-organization.ts'
import type { ItemSection } from './recent.ts'

/** What others have made since is found as well. */
const NEW = { staleTime: 0 }

interface Named {
  id: string
  name: string
}

/** What the settings have lists of, as far as whoever is signed in may see it. They are short: all of each is asked for. */
export function useSettingsItems(isAsked: boolean) {
  const organization = useOrganization()
  const { may } = organization
  const [keys, members, invitations, policies, webhooks, signingKeys] = useQueries({
    queries: [
      { ...keysQuery(organization), ...NEW, enabled: isAsked && may('keys:read') },
      { ...membersQuery(organization), ...NEW, enabled: isAsked && may('members:read') },
      { ...invitationsQuery(organization), ...NEW, enabled: isAsked && may('members:read') },
      { ...policiesQuery(organization), ...NEW, enabled: isAsked && may('policies:read') },
      { ...webhooksQuery(organization), ...NEW, enabled: isAsked && may('projects:read') },
      { ...signingKeysQuery(organization), ...NEW, enabled: isAsked && may('projects:read') },
    ],
  })
  const people = [
    ...(members.data ?? []).map(({ user_id, email }) => ({ id: user_id, name: email })),
    ...(invitations.data ?? []).map(({ id, email }) => ({ id, name: email })),
  ]
  const addresses = (webhooks.data ?? []).map(({ id, url, description }) => ({
    id,
    name: description ? `${description}: ${url}` : url,
  }))
  const lists: { section: ItemSection; items: Named[] }[] = [
    { section: 'keys', items: keys.data ?? [] },
    { section: 'members', items: people },
    { section: 'policies', items: policies.data ?? [] },
    { section: 'webhooks', items: addresses },
    { section: 'signing-keys', items: signingKeys.data ?? [] },
  ]
  const all = [keys, members, invitations, policies, webhooks, signingKeys]
  return {
    lists,
    isPending: all.some(({ isFetching }) => isFetching),
    error: all.find(({ error }) => error)?.error,
  }
}
