// Videos, their tracks and subtitles: what other rooms may use of them.

export { addVideo } from './begin-video.ts'
export { type CompleteVideoDeps, finishVideo } from './complete-video.ts'
export { clearVideoFailure, failVideo } from './fail-video.ts'
export { IMPORT_VIDEO } from './import-video.ts'
export { openVideos } from './open-videos.ts'
export { readVideo, toVideo } from './read-videos.ts'
export { type BegunVideo, type Chapter, OneVideo, ThumbnailQuery, Video } from './schemas.ts'
export { fileOfVideo, findUpload, holdVideos, setProcessed } from './store.ts'
export { subtitleBody, subtitlesOfFile } from './subtitles/store.ts'
export { tracksOfFile } from './tracks/store.ts'
export { fillProject, listTrashedVideos, purgeVideo, type RestoreDeps, restoreVideo } from './trash.ts'
