/** What other slices may do with files; how they are kept is this slice's own business. */
export { findServable, retireFile, type ServableFile, settleFile } from './store.ts'
