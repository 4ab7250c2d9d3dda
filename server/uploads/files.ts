/** What other slices may do with files; how they are kept is this slice's own business. */
export {
  addStoredBytes,
  awaitedUntil,
  failFile,
  fileExists,
  findServable,
  holdFiles,
  insertFile,
  removeFile,
  restoreFile,
  type ServableFile,
  settleFile,
  statusOfFile,
  touchFile,
} from './store.ts'
