import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNotify } from '../../components/toasts.tsx'
import { formatDay } from '../../format.ts'
import type { May } from '../../session/permissions.ts'
import { usePermission, useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'

const text = words.start.key

export type KeyKind = 'sk' | 'pk'

interface StartKeys {
  /** Keys that were made here. They are in this page's memory alone, and gone with it. */
  made: { [Kind in KeyKind]?: string }
  canMake: (kind: KeyKind) => boolean
  making: KeyKind | undefined
  make: (kind: KeyKind) => void
}

/** Keys for the code of this page. The secret of a key is shown once, so one that exists cannot be filled in. */
export function useKeys(): StartKeys {
  const { project, projectId, client } = useProject()
  const may = usePermission()
  const cache = useQueryClient()
  const notify = useNotify()
  const [made, setMade] = useState<StartKeys['made']>({})
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (kind: KeyKind) => {
      const { api_key } = await client.post('/organizations/{org_id}/api-keys/v1', {
        path: { org_id: project?.org_id ?? '' },
        body: { name: text.name(formatDay(new Date())), kind, project_id: projectId },
      })
      return { [kind]: api_key.secret }
    },
    onSuccess: (keys) => {
      setMade((before) => ({ ...before, ...keys }))
      return cache.invalidateQueries({ queryKey: ['keys', project?.org_id] })
    },
    onError: (error) => notify.failed(text.notMade, error),
  })
  return {
    made,
    canMake: (kind) => mayMake(may, kind),
    making: isPending ? variables : undefined,
    make: mutate,
  }
}

/** Nobody makes a key that may do more than they may themselves. */
function mayMake(may: May, kind: KeyKind): boolean {
  if (!may('keys:write')) return false
  return kind === 'sk' ? may('*:*') : may('events:write') && may('feeds:read') && may('posts:read')
}
