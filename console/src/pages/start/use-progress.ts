import { useQuery, useQueryClient } from '@tanstack/react-query'
import { readableKind } from '../../session/permissions.ts'
import { usePermission, useProject } from '../../session/use-project.ts'
import { anyEventQuery } from '../analytics/queries.ts'
import {
  isShown,
  mayReadPosts,
  type Newest,
  newestQuery,
  type Published,
  publishedQuery,
  type StepId,
} from './progress.ts'

/** `unseen`: whoever looks may not know; `failed`: it could not be found out. */
export type StepState = 'loading' | 'waiting' | 'done' | 'unseen' | 'failed'

interface Progress {
  states: Record<StepId, StepState>
  /** Why it could not be found out. */
  errors: Partial<Record<StepId, unknown>>
  newest: Newest | undefined
  /** The newest, where none that was uploaded can be shown. */
  broken: Newest | undefined
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
      upload: stateOf(isAllowed, newest, newest.data === undefined ? undefined : isShown(newest.data)),
      embed: stateOf(mayReadPosts(may), published, published.data && published.data.post !== undefined),
      count: stateOf(may('analytics:read'), events, events.data),
    },
    errors: { upload: newest.error, embed: published.error, count: events.error },
    newest: isShown(newest.data) ? newest.data : undefined,
    broken: isShown(newest.data) ? undefined : (newest.data ?? undefined),
    published: published.data ?? {},
    refresh: () => cache.invalidateQueries({ queryKey: ['start', projectId] }),
  }
}

function stateOf(isSeen: boolean, { isError }: { isError: boolean }, isDone: boolean | undefined): StepState {
  if (!isSeen) return 'unseen'
  // What is done stays done.
  if (isDone) return 'done'
  if (isError) return 'failed'
  return isDone === undefined ? 'loading' : 'waiting'
}
