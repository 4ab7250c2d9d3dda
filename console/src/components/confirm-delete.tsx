import { lazy, Suspense } from 'react'
import { UnderWay } from '../under-way.tsx'
import type { ConfirmDeleteProps } from './confirm-delete-dialog.tsx'

const Dialog = lazy(() =>
  import('./confirm-delete-dialog.tsx').then((made) => ({ default: made.ConfirmDeleteDialog })),
)

/** Asks before media is deleted, where there is no trash that it could be taken out of again. */
export function ConfirmDelete(props: ConfirmDeleteProps) {
  return (
    <Suspense fallback={<UnderWay />}>
      <Dialog {...props} />
    </Suspense>
  )
}
