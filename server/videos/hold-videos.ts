/** For other slices, which have asked for permission to what they do by then. */
export { holdVideos } from './store.ts'
