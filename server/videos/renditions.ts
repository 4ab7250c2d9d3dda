/** What is played besides the video itself; for delivery, which asks nobody for permission. */
export { subtitleBody, subtitlesOfFile } from './subtitles/store.ts'
export { tracksOfFile } from './tracks/store.ts'
