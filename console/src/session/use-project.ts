import type { Client } from '@marquee/client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { createContext, use, useMemo } from 'react'
import { clientOf } from '../api.ts'
import { type May, permissionsIn } from './permissions.ts'
import { type Project, projectsQuery, userQuery } from './queries.ts'

interface InProject {
  projectId: string
  project: Project | undefined
  client: Client
  may: May
}

/**
 * Filled by what is around every page. Cards of a grid that asked the queries and the address themselves would take
 * longer for that than for all they show.
 */
export const ProjectContext = createContext<InProject | undefined>(undefined)

/** What the address and the queries say now. */
export function useProjectOfAddress(): InProject {
  const { projectId = '' } = useParams({ strict: false })
  const { data: projects } = useSuspenseQuery(projectsQuery())
  const { data: user } = useSuspenseQuery(userQuery())
  return useMemo(() => {
    const project = projects.find(({ id }) => id === projectId)
    return { projectId, project, client: clientOf(projectId), may: permissionsIn(user, project?.org_id) }
  }, [projectId, projects, user])
}

/** The project that the address names, and calls about what is in it. */
export function useProject(): InProject {
  const project = use(ProjectContext)
  if (!project) throw new Error('There is no project around this.')
  return project
}

/** What whoever is signed in may do in the organization of this project. What they may not is not shown. */
export const usePermission = (): May => useProject().may

/** Whether what is deleted can be brought back for a while. */
export const useTrash = (): boolean => (useProject().project?.trash_lifetime ?? 0) > 0
