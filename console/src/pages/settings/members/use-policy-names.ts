import { useQuery } from '@tanstack/react-query'
import { words } from '../../../words.ts'
import { policiesQuery } from '../queries.ts'
import { useOrganization } from '../use-organization.ts'

/** Policies by their names; by how many they are to those who may not read policies. */
export function usePolicyNames(): (policyIds: string[]) => string {
  const organization = useOrganization()
  const { data: policies } = useQuery({
    ...policiesQuery(organization),
    enabled: organization.may('policies:read'),
  })
  return (policyIds) => {
    if (policyIds.length === 0) return words.settings.members.nothing
    const names = policyIds.map((id) => policies?.find((policy) => policy.id === id)?.name)
    return names.includes(undefined) ? words.settings.members.policies(policyIds.length) : names.join(', ')
  }
}
