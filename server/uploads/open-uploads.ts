import { installationSecret } from '../access/index.ts'
import type { UploadDeps } from './begin-upload.ts'
import type { ReceiveUploadDeps } from './receive-upload.ts'
import { uploadRoutes } from './routes.ts'

interface UploadsSliceDeps
  extends Omit<ReceiveUploadDeps, 'uploadSecret'>,
    Omit<UploadDeps, 'uploadSecret' | 'objects'> {
  /** The path under which the upload address is served here. */
  path: string
  silenceSeconds: number
}

export async function openUploads({ uploadUrl, lifetimeSeconds, ...deps }: UploadsSliceDeps) {
  const uploadSecret = await installationSecret(deps.sql, 'upload_signing')
  const begin: UploadDeps = { objects: deps.objects, uploadUrl, uploadSecret, lifetimeSeconds }
  return {
    /** What other slices begin uploads with. */
    begin,
    routes: [uploadRoutes({ ...deps, uploadSecret })],
  }
}
