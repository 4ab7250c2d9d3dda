/** The file is not an image we take; the message is for the person who sent it. */
export class UnsupportedImage extends Error {
  override readonly name = 'UnsupportedImage'
}

/** The process that decodes crashed, hung or grew too large; another try may work. */
export class ImageWorkerFailed extends Error {
  override readonly name = 'ImageWorkerFailed'
}
