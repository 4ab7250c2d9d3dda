// Images, and the posters of videos: what other rooms may use of them.

export { addImage } from './begin-image.ts'
export { type CompleteImageDeps, finishImage } from './complete-image.ts'
export { IMPORT_IMAGE } from './import-image.ts'
export { openImages } from './open-images.ts'
export { OPTIMISE } from './optimise-image.ts'
export { fileOfPoster, findPosters, insertPoster, isPoster, restorePoster } from './posters/store.ts'
export { type MadePoster, makePoster, type PosterDeps, settlePoster, trashPoster } from './posters.ts'
export { readImage } from './read-images.ts'
export { type BegunImage, FileName, Image, ImageFormat, ImportStatus, OneImage } from './schemas.ts'
export { checkSize } from './sizes/check-size.ts'
export {
  type SizeFormat,
  type SizeOptions,
  sizeProperties,
} from './sizes/option-schemas.ts'
export { PresetName } from './sizes/schemas.ts'
export { isSigned, signSize } from './sizes/signing.ts'
export { findPreset, findSigningSecret } from './sizes/store.ts'
export { findImage, focalPointOf, holdImages } from './store.ts'
export { imageOf, toImage } from './to-image.ts'
export { listTrashedImages, purgeImage, restoreImage } from './trash.ts'
