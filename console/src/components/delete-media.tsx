import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { usePageCommands } from '../page-commands.ts'
import { mark, UNDER_WAY } from '../pages/library/deleted.ts'
import { mediaKey } from '../pages/library/refresh-media.ts'
import { useProject, useTrash } from '../session/use-project.ts'
import { words } from '../words.ts'
import { Button } from './button.tsx'
import { ConfirmDelete } from './confirm-delete.tsx'
import { useNotify } from './toasts.tsx'

interface Deletable {
  kind: 'video' | 'image'
  id: string
  name: string
}

/** Deletes a video or an image, goes to the library, and offers to take it back; where that cannot be, it asks before. */
export function DeleteMedia({ kind, id, name }: Deletable) {
  const { projectId, client } = useProject()
  const hasTrash = useTrash()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const notify = useNotify()
  const [isBusy, setBusy] = useState(false)
  const [isAsked, setAsked] = useState(false)

  async function remove() {
    setBusy(true)
    mark([{ id }], UNDER_WAY)
    try {
      if (kind === 'video') await client.delete('/videos/{videoId}', { path: { videoId: id } })
      else await client.delete('/images/{imageId}', { path: { imageId: id } })
    } catch (error) {
      setBusy(false)
      mark([{ id }], undefined)
      return notify.failed(words.media.notDeleted, error)
    }
    mark([{ id }], performance.now())
    await navigate({ to: '/$projectId/library', params: { projectId } })
    queries.removeQueries({ queryKey: [projectId, kind, id] })
    invalidateOthers()
    notify.done(words.media.deleted(name), hasTrash ? () => void restore() : undefined)
  }

  async function restore() {
    try {
      if (kind === 'video') await client.post('/videos/{videoId}/restore', { path: { videoId: id } })
      else await client.post('/images/{imageId}/restore', { path: { imageId: id } })
    } catch (error) {
      return notify.failed(words.media.notRestored, error)
    }
    mark([{ id }], undefined)
    invalidateOthers()
    if (kind === 'video') navigate({ to: '/$projectId/videos/$videoId', params: { projectId, videoId: id } })
    else navigate({ to: '/$projectId/images/$imageId', params: { projectId, imageId: id } })
  }

  /** The library knows already, and is not asked for all that was scrolled to. */
  function invalidateOthers() {
    const [media] = mediaKey(projectId)
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== media })
  }

  const ask = () => (hasTrash ? void remove() : setAsked(true))
  usePageCommands([
    {
      id: 'delete',
      title: words.commands.ofPage.deleteNamed(name),
      also: words.commands.also.deleteSelected,
      icon: 'trash',
      run: ask,
    },
  ])

  return (
    <>
      <Button kind="danger" icon="trash" isBusy={isBusy} onClick={ask}>
        {words.common.delete}
      </Button>
      {isAsked && (
        <ConfirmDelete
          title={words.media.deleteForGood(name)}
          onClose={() => setAsked(false)}
          onDelete={() => void remove()}
        />
      )}
    </>
  )
}
