import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useProject } from '../../session/use-project.ts'

export const SAMPLE_ID = 'vid_sample'

/** Answers of its own for what asks the service, so that it is seen with something in it. Nothing of it is sent. */
export function SampleData({ children }: { children: ReactNode }) {
  const { projectId } = useProject()
  const outside = useQueryClient()
  const [queries] = useState(() => {
    const own = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
    for (const key of ['user', 'projects']) own.setQueryData([key], outside.getQueryData([key]))
    own.setQueryData([projectId, 'video', SAMPLE_ID, 'uses'], {
      data: [
        {
          feed_id: 'feed_sample',
          feed_name: 'Holidays',
          post_id: 'post_1',
          published_at: new Date().toISOString(),
        },
        { feed_id: 'feed_sample', feed_name: 'Holidays', post_id: 'post_2' },
      ],
      pagination: { limit: 20, offset: 0, total: 2 },
    })
    return own
  })
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>
}
