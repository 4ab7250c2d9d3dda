import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { Empty } from '../../components/empty.tsx'
import { usePermission, useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import { NoEvents } from './no-events.tsx'
import { anyEventQuery } from './queries.ts'

/** Numbers for whoever may see them, where there are any. */
export function AnalyticsGate({ children }: { children: ReactNode }) {
  const may = usePermission()
  const { projectId } = useProject()
  const isAllowed = may('analytics:read')
  const { data: hasEvents } = useQuery({ ...anyEventQuery(projectId), enabled: isAllowed })
  const queries = useQueryClient()
  const wasEmpty = useRef(false)
  // What was asked for before the first event came is out of date at once.
  useEffect(() => {
    if (hasEvents && wasEmpty.current) queries.invalidateQueries({ queryKey: ['analytics', projectId] })
    wasEmpty.current = hasEvents === false
  }, [hasEvents, projectId, queries])
  if (!isAllowed)
    return (
      <Empty title={words.analytics.forbidden}>
        <p>{words.analytics.forbiddenText}</p>
      </Empty>
    )
  return hasEvents === false ? <NoEvents /> : children
}
