import { installationSecret } from '../access/index.ts'
import type { UploadDeps } from './begin-upload.ts'
import { uploadRoutes } from './routes.ts'
import type { UploadRouteDeps } from './tus/routes.ts'

interface UploadsSliceDeps
  extends Omit<UploadRouteDeps, 'uploadSecret'>,
    Omit<UploadDeps, 'uploadSecret' | 'objects'> {}

export async function openUploads({ lifetimeSeconds, direct, ...deps }: UploadsSliceDeps) {
  const uploadSecret = await installationSecret(deps.sql, 'upload_signing')
  const { objects, uploadUrl } = deps
  const begin: UploadDeps = { objects, uploadUrl, uploadSecret, lifetimeSeconds, direct }
  return {
    /** What other slices begin uploads with. */
    begin,
    routes: [uploadRoutes({ ...deps, uploadSecret })],
  }
}
