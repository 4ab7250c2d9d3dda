import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNotify } from './components/toasts.tsx'
import { words } from './words.ts'

interface ChangeOptions<Shown extends object, Change> {
  /** Of the query that has it. */
  queryKey: QueryKey
  send: (change: Change) => Promise<Partial<Shown>>
  /** As it will be, before the service has answered. */
  show: (shown: Shown, change: Change) => Shown
  /** Once the service has it: for what else shows it. */
  onSaved?: () => void
}

/** Changes something that is shown, at once; it is taken back where the service refuses it. */
export function useChange<Shown extends object, Change>(options: ChangeOptions<Shown, Change>) {
  const { queryKey, send, show, onSaved } = options
  const queries = useQueryClient()
  const notify = useNotify()
  const mutationKey = ['change', ...queryKey]
  const put = (edit: (shown: Shown) => Shown) =>
    queries.setQueryData<Shown>(queryKey, (shown) => shown && edit(shown))
  /** An answer to an earlier change knows nothing of the later ones that are shown already. */
  const isLast = () => queries.isMutating({ mutationKey }) === 1
  const { mutate } = useMutation({
    mutationKey,
    // One after the other, so that the last one counts.
    scope: { id: mutationKey.join() },
    mutationFn: send,
    onMutate: (change: Change) => {
      // The state is set back within the call, so what is shown next is not; and the next change,
      // which may come before this has ended, starts from this one.
      const cancelled = queries.cancelQueries({ queryKey })
      put((shown) => show(shown, change))
      return cancelled
    },
    onSuccess: (answer) => {
      if (isLast()) put((shown) => ({ ...shown, ...answer }))
      onSaved?.()
    },
    onError: (error) => {
      notify.failed(words.media.notSaved, error)
      if (isLast()) return queries.invalidateQueries({ queryKey })
    },
  })
  return mutate
}
