// Plans, renditions and segments of films: how other rooms have them made.

export { asGone } from './encode-run.ts'
export { beginPlayback, enqueueFill, FILL } from './fill-video.ts'
export { openTranscoding } from './open-transcoding.ts'
export {
  type AudioChoice,
  audioChoices,
  edgesOf,
  findChoice,
  type Presentation,
  type Presentations,
  type VideoChoice,
  videoChoices,
} from './presentation.ts'
export { progressOf } from './progress.ts'
export { segmentMedia } from './segment-media.ts'
export type { SourceFiles } from './sources.ts'
export { filledShares, findRates, INIT, isMade, madeSegments, pictureSizes, soundSizes } from './store.ts'
export type { Transcoder } from './transcoder.ts'
export { uniquelyLabelled } from './unique-labels.ts'
