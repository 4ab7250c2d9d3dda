import type { Client } from '@marquee/client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { clientOf } from '../api.ts'
import { type May, permissionsIn } from './permissions.ts'
import { type Project, projectsQuery, userQuery } from './queries.ts'

/** The project that the address names, and calls about what is in it. */
export function useProject(): { projectId: string; project: Project | undefined; client: Client } {
  const { projectId = '' } = useParams({ strict: false })
  const { data: projects } = useSuspenseQuery(projectsQuery())
  return { projectId, project: projects.find(({ id }) => id === projectId), client: clientOf(projectId) }
}

/** What whoever is signed in may do in the organization of this project. What they may not is not shown. */
export function usePermission(): May {
  const { project } = useProject()
  const { data: user } = useSuspenseQuery(userQuery())
  return permissionsIn(user, project?.org_id)
}
