/** What other slices may do with files; how they are kept is this slice's own business. */
export {
  addStoredBytes,
  awaitedUntil,
  failFile,
  findServable,
  holdFiles,
  insertFile,
  removeFile,
  restoreFile,
  retireFile,
  type ServableFile,
  settleFile,
  statusOfFile,
  touchFile,
} from './store.ts'
