import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../components/button.tsx'
import { useNotify } from '../../components/toasts.tsx'
import { usePermission, useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import type { Newest, Published } from './progress.ts'

const text = words.start.steps.embed

interface PublishProps {
  newest: Newest | undefined
  published: Published
  onPublished: () => Promise<void>
}

/** Makes a post of what was uploaded last, in a public feed: the one there is, or a new one. */
export function PublishNewest({ newest, published, onPublished }: PublishProps) {
  const { projectId, client } = useProject()
  const may = usePermission()
  const cache = useQueryClient()
  const notify = useNotify()
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ id }: Newest) => {
      const feed = { name: text.feedName, visibility: 'public' as const }
      const feedId = published.feedId ?? (await client.post('/feeds', { body: feed })).id
      const body = { content_ids: [id], content_type: 'mixed' as const }
      await client.post('/feeds/{feedId}/content', { path: { feedId }, body, isRepeatable: true })
      await Promise.all([onPublished(), cache.invalidateQueries({ queryKey: ['feeds', projectId] })])
    },
    onSuccess: (_, { name }) => notify.done(text.published(name)),
    onError: (error) => notify.failed(text.notPublished, error),
  })
  if (!newest || !may('feeds:write') || !may('posts:write')) return null
  return (
    <Button kind="primary" isBusy={isPending} onClick={() => mutate(newest)}>
      {text.publish(newest.name)}
    </Button>
  )
}
