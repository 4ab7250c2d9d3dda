import { useQuery, useQueryClient } from '@tanstack/react-query'
import { readableKind } from '../../session/permissions.ts'
import { usePermission, useProject } from '../../session/use-project.ts'
import { anyEventQuery } from '../analytics/queries.ts'
import {
  mayReadPosts,
  type Newest,
  newestQuery,
  type Published,
  publishedQuery,
  type StepId,
} from './progress.ts'

/** `unseen`: whoever looks may not know. */
export type StepState = 'loading' | 'waiting' | 'done' | 'unseen'

interface Progress {
  states: Record<StepId, StepState>
  newest: Newest | undefined
  published: Published
  /** Asks at once, not with the next turn. */
  refresh: () => Promise<void>
}

/** What of the three steps has happened. It is asked for again and again, so that each is seen as it happens. */
export function useProgress(): Progress {
  const { projectId } = useProject()
  const may = usePermission()
  const cache = useQueryClient()
  const { isAllowed, kind } = readableKind(may)
  const newest = useQuery({ ...newestQuery(projectId, kind), enabled: isAllowed })
  const published = useQuery({ ...publishedQuery(projectId), enabled: mayReadPosts(may) })
  const events = useQuery({ ...anyEventQuery(projectId), enabled: may('analytics:read') })
  return {
    states: {
      upload: stateOf(isAllowed, newest.data === undefined ? undefined : newest.data !== null),
      embed: stateOf(mayReadPosts(may), published.data && published.data.post !== undefined),
      count: stateOf(may('analytics:read'), events.data),
    },
    newest: newest.data ?? undefined,
    published: published.data ?? {},
    refresh: () => cache.invalidateQueries({ queryKey: ['start', projectId] }),
  }
}

function stateOf(isSeen: boolean, isDone: boolean | undefined): StepState {
  if (!isSeen) return 'unseen'
  return isDone === undefined ? 'loading' : isDone ? 'done' : 'waiting'
}
