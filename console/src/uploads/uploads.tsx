import { lazy, Suspense } from 'react'
import { useUploads } from './upload-store.ts'

const Tray = lazy(() => import('./upload-tray.tsx').then(({ UploadTray }) => ({ default: UploadTray })))

/** The tray, loaded once there is something in it. */
export function Uploads() {
  return useUploads().length > 0 ? (
    <Suspense>
      <Tray />
    </Suspense>
  ) : null
}
