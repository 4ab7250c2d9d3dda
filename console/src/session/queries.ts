import type { Schemas } from '@marquee/client'
import { queryOptions } from '@tanstack/react-query'
import { clientOf, isStatus } from '../api.ts'
import { open } from './session.ts'

export type Project = Schemas['Project']

/** Who is signed in, and what they may do where. */
export const userQuery = () =>
  queryOptions({
    queryKey: ['user'],
    queryFn: ({ signal }) => clientOf().get('/auth/v1/users/current', { signal }),
    staleTime: 60_000,
  })

/** How people can sign in here, for those who have not yet. */
export const signInOptionsQuery = () =>
  queryOptions({
    queryKey: ['sign-in-options'],
    queryFn: ({ signal }) => open.get('/auth/v1/browser/options', { signal }),
    staleTime: 60_000,
  })

/** The projects of all organizations of whoever is signed in. */
export const projectsQuery = () =>
  queryOptions({
    queryKey: ['projects'],
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<Project[]> => {
      const { organizations } = await clientOf().get('/auth/v1/users/current', { signal })
      const lists = await Promise.all(
        organizations.map(({ id }) => projectsOf(id, signal).catch(noneWhereForbidden)),
      )
      return lists.flat()
    },
  })

/** A member without `projects:read` sees the projects of their other organizations all the same. */
function noneWhereForbidden(error: unknown): Project[] {
  if (isStatus(error, 403)) return []
  throw error
}

const PAGE = 100

async function projectsOf(orgId: string, signal: AbortSignal): Promise<Project[]> {
  const found: Project[] = []
  while (true) {
    const query = { limit: PAGE, offset: found.length }
    const { projects } = await clientOf().get('/organization/{orgId}/projects', {
      path: { orgId },
      query,
      signal,
    })
    found.push(...projects)
    if (projects.length < PAGE) return found
  }
}
