/** For other slices, which have asked for permission to what they do by then. */
export { holdImages } from './store.ts'
