import type { Schemas } from '@marquee/client'
import { queryOptions } from '@tanstack/react-query'
import { clientOf } from '../api.ts'
import { open } from './session.ts'

/** What everybody who may do anything in it knows of a project. */
export type Project = Schemas['OwnProject']

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

const PAGE = 100

/** The projects of all organizations in which whoever is signed in may do anything. */
export const projectsQuery = () =>
  queryOptions({
    queryKey: ['projects'],
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<Project[]> => {
      const found: Project[] = []
      while (true) {
        const query = { limit: PAGE, offset: found.length }
        const { projects } = await clientOf().get('/auth/v1/users/current/projects', { query, signal })
        found.push(...projects)
        if (projects.length < PAGE) return found
      }
    },
  })
