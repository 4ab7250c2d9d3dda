import type { Client } from '@marquee/client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { userQuery } from '../../session/queries.ts'
import { usePermission, useProject } from '../../session/use-project.ts'

interface Organization {
  orgId: string
  /** Whether whoever is signed in owns it. */
  isOwner: boolean
  userId: string
  projectId: string
  client: Client
  may: (permission: string) => boolean
}

/** The organization of the project that is looked at, for whoever is signed in. */
export function useOrganization(): Organization {
  const { project, projectId, client } = useProject()
  const { data: user } = useSuspenseQuery(userQuery())
  const may = usePermission()
  const organization = user.organizations.find(({ id }) => id === project?.org_id)
  return {
    orgId: project?.org_id ?? '',
    isOwner: organization?.role === 'owner',
    userId: user.id,
    projectId,
    client,
    may,
  }
}
