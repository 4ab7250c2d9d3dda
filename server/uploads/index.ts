// Files that clients upload: what other rooms may do with them, having asked for permission themselves.

export { beginUpload, type UploadDeps } from './begin-upload.ts'
export { cancelUpload } from './cancel-upload.ts'
export { arrivedAtOnce, completeOnce, putIncoming, takeUploaded } from './complete-upload.ts'
export { areFarOff, countMatching, toldTotal, totalAfter } from './count-matching.ts'
export { matchingMedia } from './filter-media.ts'
export {
  addImport,
  checkImport,
  IMPORT_SECONDS,
  type ImportDeps,
  nameIn,
  requireFewImports,
} from './imports/begin-import.ts'
export type { FetchDeps } from './imports/fetch-import.ts'
export { runImport } from './imports/run-import.ts'
export { ImportProgress, ImportUrl } from './imports/schemas.ts'
export { importOf } from './imports/show-import.ts'
export {
  encodingKey,
  incomingKey,
  initKey,
  originalKey,
  piecesPrefix,
  prefixOf,
  renditionPrefix,
  segmentKey,
  sheetKey,
  trackKey,
  trackPrefix,
} from './keys.ts'
export { countGarbage, trashFile, untrashFile } from './leftovers/store.ts'
export { countMedia, gatherCounts } from './media-counts.ts'
export { openUploads } from './open-uploads.ts'
export { announceObjects, keepObjects, releaseObjects, removeOrphans } from './orphans.ts'
export { pageOfMatching } from './page-matching.ts'
export {
  addStoredBytes,
  awaitedUntil,
  failFile,
  fileChangesOf,
  fileExists,
  findServable,
  holdFiles,
  insertFile,
  isGone,
  removeFile,
  restoreFile,
  type ServableFile,
  settleFile,
  statusOfFile,
  touchFile,
  updateFile,
} from './store.ts'
export { removeObjects, sweep } from './sweep.ts'
export { downloadUrl, type FileRow, folderUrl, soundUrl, subtitleUrl, toFile, trackUrl } from './to-file.ts'
export { emptyUnlessKept, purgeFiles, type TrashDeps } from './trash.ts'
