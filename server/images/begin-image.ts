import { type ProjectScope, requireStorage, type StorageDeps } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import type { ProjectId } from '../base/ids.ts'
import { newId } from '../base/ids.ts'
import type { Transaction } from '../platform/postgres/client.ts'
import { beginUpload, type UploadDeps } from '../uploads/index.ts'
import type { BegunImage, NewImage } from './schemas.ts'
import { insertImage } from './store.ts'

export async function beginImage(
  caller: Caller,
  scope: ProjectScope,
  wanted: NewImage,
  deps: UploadDeps & StorageDeps,
): Promise<BegunImage> {
  allow(caller, 'images:write', scope)
  const { projectId } = scope
  await requireStorage(projectId, deps)
  return deps.sql.begin((tx) => addImage(tx, projectId, wanted, deps))
}

/** For whoever has asked for permission and for storage. */
export async function addImage(
  tx: Transaction,
  projectId: ProjectId,
  { file_name: name, file_size: size, resumable }: Omit<NewImage, 'image_format'>,
  deps: UploadDeps,
): Promise<BegunImage> {
  const imageId = newId('image')
  const fileId = newId('file')
  const file = { id: fileId, projectId, kind: 'image' as const, name, size, resumable }
  const { url, expires } = await beginUpload(tx, file, deps)
  await insertImage(tx, { id: imageId, projectId, fileId })
  return { image_id: imageId, presigned_url: url, upload_expires: expires }
}
