import { lazy, Suspense } from 'react'
import { UnderWay } from '../under-way.tsx'
import { useUploads } from './upload-store.ts'

const Tray = lazy(() => import('./upload-tray.tsx').then(({ UploadTray }) => ({ default: UploadTray })))

/** The tray, loaded once there is something in it. */
export function Uploads() {
  return useUploads().length > 0 ? (
    <Suspense fallback={<UnderWay />}>
      <Tray />
    </Suspense>
  ) : null
}
